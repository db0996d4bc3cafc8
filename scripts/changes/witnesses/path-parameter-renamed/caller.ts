import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParameterRenamed.get('a')
  return order.id
}
