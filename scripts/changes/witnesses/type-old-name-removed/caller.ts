import type { Shop, TypeOldNameRemovedOrder } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeOldNameRemovedOrder = await client.typeOldNameRemoved.get('ord_1')
  return order.id
}
