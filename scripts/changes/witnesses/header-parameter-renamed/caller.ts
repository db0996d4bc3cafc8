import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.headerParameterRenamed.get('ord_1', { xRegion: 'eu' })
  return order.note
}
