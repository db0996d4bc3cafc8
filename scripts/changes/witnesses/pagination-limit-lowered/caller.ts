import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const page = await client.paginationLimitLowered.list({ limit: 50 })
  return page.data.map(({ id }) => id)
}
