import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const page = await client.paginationOptionalCursorRenamed.list()
  return page.nextCursor
}
