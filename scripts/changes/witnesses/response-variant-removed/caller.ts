import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const { pay } = await client.responseVariantRemoved.get('ord_1')
  return pay.type === 'gift' ? pay.code : 'other'
}
