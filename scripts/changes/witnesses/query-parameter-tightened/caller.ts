import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.queryParameterTightened.get('ord_1', { page: 2 })
  return order.note
}
