import type { Order as Bill, OrderLine, Shop, Shop as Client } from '@shop/sdk'
import type * as shop from '@shop/sdk'
import type { WebhookEvent } from '@shop/sdk/webhooks'
import { db } from './db.ts'

// status of order.get: a comment stays, as does 'status' in a text.
const label = 'status: order.status of client.orders.get'

export async function hit(client: Shop, id: string, lang: string) {
  const order = await client.orders.fetch(id)
  const again = await client
    .orders
    .fetch(id)
  const {
    state: status,
    lines: [first],
  } = await client.orders.fetch(id)
  const { state: named } = order
  const raw = (await client.orders.fetch(id)).state
  const price = order.lines[0]?.cost ?? 0
  for await (const one of client.orders.list({ language: lang }))
    console.log(
      one.state,
      one.lines.map((line) => line.cost),
    )
  const page = await client.orders.list({ language: 'de', ['lang']: 'x' })
  const all = page.data.map((entry) => entry.state)
  await client.orders.fetch(id).then((found) => found.state)
  await client.orders.create({ item: 'cup', gift: { words: 'Hello', other: { wish: 1 } as never } })
  await client.orders.create({ item: wish({ gift: { wish: 'no' } }) })
  await client.orders.remarks.add(id, { text: 'x' })
  return [order?.state, again.state, status, named, raw, price, all, first, label]
}

export function typed(line: OrderLine, bill: Bill, maybe: OrderLine | null): number {
  return line.cost + (maybe?.cost ?? 0) + bill.lines.length
}

export function handle(event: WebhookEvent) {
  if (event.event === 'order.paid') return event.data.amount
  return null
}

export async function foreign(client: Shop, id: string, rows: Array<{ status: string }>) {
  const order = await db.orders.find(id)
  const other = await db.items.get(id)
  const inner = await client.orders.fetch(id)
  const mapped = rows.map((inner) => inner.status)
  const lines = [{ price: 1 }].map((line) => line.price)
  db.log({ lang: 'de', wish: 'x' })
  client.notes.create(id, { text: 'x' })
  await client?.orders?.notes.create(id, { text: 'x' })
  return [order.status, other.status, inner.id, mapped, lines, rows[0]?.status]
}

export async function aliased(sc: Client, bill: shop.Order, id: string): Promise<shop.Order> {
  const order: shop.Order = await sc.orders.fetch(id)
  const lines: shop.OrderLine[] = order.lines
  return { ...order, status: bill.state + lines.length }
}
