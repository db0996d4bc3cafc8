import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestFieldStoppedBeingNullable.create({
    item: 'cup',
    quantity: null,
  })
  return order.id
}
