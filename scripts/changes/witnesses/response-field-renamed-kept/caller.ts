import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseFieldRenamedKept.get('ord_1')
  const value: number = order.total
  return value
}
