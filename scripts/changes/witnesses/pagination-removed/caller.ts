import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const ids: string[] = []
  for await (const order of client.paginationRemoved.list()) ids.push(order.id)
  return ids
}
