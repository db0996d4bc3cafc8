import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestBodyRemoved.create({ item: 'cup' })
  return order.item
}
