import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.headerParameterTightened.get('ord_1', { xLevel: 5 })
  return order.note
}
