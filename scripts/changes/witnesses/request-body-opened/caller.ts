import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestBodyOpened.create({ item: 'cup' })
  return order.id
}
