import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestMapValueTypeChanged.create({ stock: { cup: 3 } })
  return order.id
}
