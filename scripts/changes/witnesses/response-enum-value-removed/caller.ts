import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseEnumValueRemoved.get('ord_1')
  const value: boolean = order.state === 'lost'
  return value
}
