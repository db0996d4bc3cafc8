import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseEnumIntroduced.get('ord_1')
  const value: string = order.state
  return value
}
