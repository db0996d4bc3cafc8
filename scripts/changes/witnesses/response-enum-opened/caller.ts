import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseEnumOpened.get('ord_1')
  const value: boolean = order.state === 'open'
  return value
}
