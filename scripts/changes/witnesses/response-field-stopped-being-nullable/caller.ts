import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseFieldStoppedBeingNullable.get('ord_1')
  const value: number | null = order.total
  return value
}
