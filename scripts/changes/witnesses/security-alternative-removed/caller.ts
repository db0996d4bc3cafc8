import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.securityAlternativeRemoved.get('ord_1')
  return order.id
}
