import type { OperationMovedKeptGetParams, Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const params: OperationMovedKeptGetParams = { lang: 'de' }
  const order = await client.operationMovedKept.get('ord_1', params)
  return order.id
}
