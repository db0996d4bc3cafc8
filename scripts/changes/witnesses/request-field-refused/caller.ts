import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestFieldRefused.create({ item: 'cup', note: 'Hello' })
  return order.id
}
