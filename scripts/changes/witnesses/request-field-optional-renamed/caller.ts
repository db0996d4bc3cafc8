import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestFieldOptionalRenamed.create({ item: 'cup', note: 'Hello' })
  return order.note
}
