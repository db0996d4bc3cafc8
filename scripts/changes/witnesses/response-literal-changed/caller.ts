import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseLiteralChanged.get('ord_1')
  const value: string = order.kind
  return value
}
