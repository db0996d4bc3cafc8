import type { Shop, TypeSharedGetResponse } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeSharedGetResponse = await client.typeShared.get('ord_1')
  return order.id
}
