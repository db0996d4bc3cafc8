import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const page = await client.paginationCursorRenamed.list()
  return page.nextCursor
}
