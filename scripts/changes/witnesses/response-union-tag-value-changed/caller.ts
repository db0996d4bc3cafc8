import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const { pay } = await client.responseUnionTagValueChanged.get('ord_1')
  return pay.type === 'card' ? pay.number : 'other'
}
