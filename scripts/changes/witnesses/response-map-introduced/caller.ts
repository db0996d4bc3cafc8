import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseMapIntroduced.get('ord_1')
  const value: string = order.id
  return value
}
