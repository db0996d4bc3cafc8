import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseMapClosed.get('ord_1')
  const value: string | undefined = order.colour
  return value
}
