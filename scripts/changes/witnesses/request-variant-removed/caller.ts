import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestVariantRemoved.create({ pay: { type: 'gift', code: 'X' } })
  return order.id
}
