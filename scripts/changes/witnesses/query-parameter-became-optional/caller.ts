import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.queryParameterBecameOptional.get('ord_1', { lang: 'de' })
  return order.note
}
