import type { Shop, TypeDocumentationChanged } from '@shop/sdk'

export async function call(client: Shop) {
  const order: TypeDocumentationChanged = await client.typeDocumentationChanged.get('ord_1')
  return order.id
}
