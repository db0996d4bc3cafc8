import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requiredOrderChanged.create({ item: 'cup', quantity: 2 })
  return order.id
}
