import type { OperationRenamedKeptGetParams, Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const params: OperationRenamedKeptGetParams = { lang: 'de' }
  const order = await client.operationRenamedKept.get('ord_1', params)
  return order.id
}
