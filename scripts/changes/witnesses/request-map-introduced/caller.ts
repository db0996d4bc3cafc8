import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestMapIntroduced.create({ cup: { size: 'big' } })
  return order.id
}
