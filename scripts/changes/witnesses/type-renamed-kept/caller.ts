import type { Shop, TypeRenamedKeptOrder } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeRenamedKeptOrder = await client.typeRenamedKept.get('ord_1')
  return order.id
}
