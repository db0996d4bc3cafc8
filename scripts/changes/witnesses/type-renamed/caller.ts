import type { Shop, TypeRenamedOrder } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeRenamedOrder = await client.typeRenamed.get('ord_1')
  return order.id
}
