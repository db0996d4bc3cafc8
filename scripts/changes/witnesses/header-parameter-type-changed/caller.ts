import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.headerParameterTypeChanged.get('ord_1', { xRegion: 'eu' })
  return order.note
}
