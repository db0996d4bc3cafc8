import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.parametersReordered.get('ord_1', { lang: 'de', page: 2 })
  return order.note
}
