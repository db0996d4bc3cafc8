import type { Shop, TypeInlinedOrder } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeInlinedOrder = await client.typeInlined.get('ord_1')
  return order.id
}
