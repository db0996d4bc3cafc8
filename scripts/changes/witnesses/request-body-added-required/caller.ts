import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestBodyAddedRequired.create()
  return order.id
}
