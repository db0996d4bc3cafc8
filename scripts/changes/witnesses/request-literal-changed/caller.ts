import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestLiteralChanged.create({ kind: 'sale', item: 'cup' })
  return order.id
}
