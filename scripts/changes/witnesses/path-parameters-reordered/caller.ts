import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.pathParametersReordered.items.get('s_1', 'o_1')
  return order.id
}
