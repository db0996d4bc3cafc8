import type { Shop } from '@shop/sdk'

export async function call(client: Shop) {
  const order = await client.requestFieldFormatChanged.create({
    item: 'cup',
    due: '2026-01-02T03:04:05Z',
  })
  return order.id
}
