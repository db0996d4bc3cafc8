import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.responseFieldOptionalRenamedKept.get('ord_1')
  const value: string | undefined = order.note
  return value
}
