import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const ids: string[] = []
  for await (const order of client.paginationCursorParameterRenamed.list()) ids.push(order.id)
  return ids
}
