import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParameterRemoved.get('s', 'a')
  return order.id
}
