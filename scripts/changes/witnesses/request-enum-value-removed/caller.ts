import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestEnumValueRemoved.create({ state: 'lost' })
  return order.id
}
