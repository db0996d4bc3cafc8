import type { Order as Bill, Line, Shop, Shop as Client } from '@shop/sdk'
import type * as shop from '@shop/sdk'
import type { WebhookEvent } from '@shop/sdk/webhooks'
import { db } from './db.ts'

// status of order.get: a comment stays, as does 'status' in a text.
const label = 'status: order.status of client.orders.get'

export async function hit(client: Shop, id: string, lang: string) {
  const order = await client.orders.get(id)
  const again = await client
    .orders
    .get(id)
  const {
    status,
    lines: [first],
  } = await client.orders.get(id)
  const { status: named } = order
  const raw = (await client.orders.get(id)).status
  const price = order.lines[0]?.price ?? 0
  for await (const one of client.orders.list({ lang }))
    console.log(
      one.status,
      one.lines.map((line) => line.price),
    )
  const page = await client.orders.list({ lang: 'de', ['lang']: 'x' })
  const all = page.data.map((entry) => entry.status)
  await client.orders.get(id).then((found) => found.status)
  await client.orders.create({ item: 'cup', gift: { wish: 'Hello', other: { wish: 1 } as never } })
  await client.orders.create({ item: wish({ gift: { wish: 'no' } }) })
  await client.orders.notes.create(id, { text: 'x' })
  return [order?.status, again.status, status, named, raw, price, all, first, label]
}

export function typed(line: Line, bill: Bill, maybe: Line | null): number {
  return line.price + (maybe?.price ?? 0) + bill.lines.length
}

export function handle(event: WebhookEvent) {
  if (event.event === 'order.paid') return event.data.total
  return null
}

export async function foreign(client: Shop, id: string, rows: Array<{ status: string }>) {
  const order = await db.orders.find(id)
  const other = await db.items.get(id)
  const inner = await client.orders.get(id)
  const mapped = rows.map((inner) => inner.status)
  const lines = [{ price: 1 }].map((line) => line.price)
  db.log({ lang: 'de', wish: 'x' })
  client.notes.create(id, { text: 'x' })
  await client?.orders?.notes.create(id, { text: 'x' })
  return [order.status, other.status, inner.id, mapped, lines, rows[0]?.status]
}

export async function aliased(sc: Client, bill: shop.Order, id: string): Promise<shop.Order> {
  const order: shop.Order = await sc.orders.get(id)
  const lines: shop.Line[] = order.lines
  return { ...order, status: bill.status + lines.length }
}
