// The least that answers the calls: Hono over Maps. It reads no contract, checks nothing and keeps what is
// posted until it ends.

import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [port = '', file = ''] = process.argv.slice(2)
/** @type {Record<string, string>} */
const { list = '', get = '' } = JSON.parse(readFileSync(file, 'utf8'))

/** @type {Map<string, object>} */
const summaries = new Map()
/** @type {Map<string, object[]>} */
const threads = new Map()
/** @type {Map<string, object>} */
const handoffs = new Map()
for (const summary of JSON.parse(list).data) {
  summaries.set(summary.id, summary)
  threads.set(summary.id, [])
}
const { transcript, handoff, ...shown } = JSON.parse(get)
threads.set(shown.id, transcript)
handoffs.set(shown.id, handoff)

const app = new Hono()
app.get('/v1/conversations', (c) =>
  c.json({ data: [...summaries.values()], next_cursor: null, has_more: false }),
)
app.get('/v1/conversations/:id', (c) => {
  const id = c.req.param('id')
  const summary = summaries.get(id)
  if (!summary) return c.notFound()
  return c.json({ ...summary, transcript: threads.get(id), handoff: handoffs.get(id) ?? null })
})
app.post('/v1/conversations/:id/messages', async (c) => {
  const id = c.req.param('id')
  const thread = threads.get(id)
  if (!thread) return c.notFound()
  const { text } = await c.req.json()
  const message = {
    id: `msg_${id}_${thread.length}`,
    conversation_id: id,
    author: { type: 'agent', name: null },
    text,
    created_at: new Date().toISOString(),
  }
  thread.push(message)
  return c.json(message, 201)
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) })
