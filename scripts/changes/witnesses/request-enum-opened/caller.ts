import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestEnumOpened.create({ state: 'open' })
  return order.id
}
