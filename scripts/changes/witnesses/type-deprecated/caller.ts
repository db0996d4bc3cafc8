import type { Shop, TypeDeprecated } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeDeprecated = await client.typeDeprecated.get('ord_1')
  return order.id
}
