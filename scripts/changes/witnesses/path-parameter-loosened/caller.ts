import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParameterLoosened.get('ab')
  return order.id
}
