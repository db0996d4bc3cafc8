import type { OperationOldNameRemovedGetParams, Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const params: OperationOldNameRemovedGetParams = { lang: 'de' }
  const order = await client.operationOldNameRemoved.get('ord_1', params)
  return order.id
}
