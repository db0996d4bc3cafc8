import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.operationRenamedKept.get('ord_1', { lang: 'de' })
  return order.id
}
