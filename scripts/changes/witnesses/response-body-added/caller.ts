import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  await client.responseBodyAdded.delete('ord_1')
  return 'deleted'
}
