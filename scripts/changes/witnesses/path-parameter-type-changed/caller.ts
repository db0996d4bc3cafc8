import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParameterTypeChanged.get('a')
  return order.id
}
