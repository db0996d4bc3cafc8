import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const page = await client.paginationIntroduced.list()
  return page.next_cursor
}
