import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestUnionTagValueChanged.create({
    pay: { type: 'card', number: '42' },
  })
  return order.id
}
