import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParameterTightened.get('ab')
  return order.id
}
