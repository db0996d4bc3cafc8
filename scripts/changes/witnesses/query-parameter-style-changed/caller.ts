import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.queryParameterStyleChanged.get('ord_1', { tags: ['a', 'b'] })
  return order.note
}
