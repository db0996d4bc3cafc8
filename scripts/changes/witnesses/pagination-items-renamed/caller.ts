import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const page = await client.paginationItemsRenamed.list()
  return page.data.map(({ id }) => id)
}
