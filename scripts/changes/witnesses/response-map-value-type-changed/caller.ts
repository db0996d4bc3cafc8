import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseMapValueTypeChanged.get('ord_1')
  const value: number | undefined = order.stock.cup
  return value
}
