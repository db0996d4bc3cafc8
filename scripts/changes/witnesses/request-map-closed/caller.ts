import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestMapClosed.create({ item: 'cup', colour: 'red' })
  return order.id
}
