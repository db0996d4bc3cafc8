/** Every acknowledged event is delivered, whenever the process is killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { receiver } from './receiver.ts'
import { type Spawned, spawned } from './spawned.ts'

const SOAK = process.env.MODE === 'soak'
const KILLS = SOAK ? 100 : 10
/** Clients that post at the same time. */
const CLIENTS = 8
/** Waits between attempts of 9 ms to 0.7 s, so that kills hit later attempts too. */
const TIME_SCALE = 0.00001

it(`nothing acknowledged is lost in ${KILLS} kills`, {
  timeout: SOAK ? 1_800_000 : 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mock-kill-'))
  const file = join(folder, 'mock.db')
  // Every third attempt fails, some with a response and some without.
  let attempts = 0
  const target = await receiver((response, _request, socket) => {
    attempts++
    if (attempts % 6 === 0) socket.resetAndDestroy()
    else response.writeHead(attempts % 3 === 0 ? 503 : 204).end()
  })
  // How many attempts precede each kill.
  const moments = fc.sample(
    fc.integer({ min: 1, max: 300 }),
    SOAK ? KILLS : { numRuns: KILLS, seed: 6 },
  )

  const acknowledged: string[] = []
  let server: Spawned | undefined
  const post = async (path: string, body: object) => {
    const response = await fetch(`${server?.url}/_mock/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
    return response.json()
  }
  /** Posts until the server is gone. */
  const load = async () => {
    for (;;) {
      try {
        acknowledged.push((await post('trigger', { kind: 'conversation.resolved' })).id)
      } catch (error) {
        // The connection may fail, but not the response.
        if (error instanceof TypeError || error instanceof SyntaxError) return
        throw error
      }
    }
  }

  try {
    for (const moment of moments) {
      server = await spawned(file, TIME_SCALE)
      if (acknowledged.length === 0) await post('endpoints', { url: target.url })
      const loads = Array.from({ length: CLIENTS }, load)
      await target.until(target.received.length + moment)
      await server.kill()
      await Promise.all(loads)
    }
    server = await spawned(file, TIME_SCALE)
    const url = `${server.url}/_mock/deliveries?state=pending`
    const pending = async () => (await (await fetch(url)).json()).data
    await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 60_000 })
    await server.kill()

    const received = new Map<string, number>()
    for (const { body } of target.received) {
      const { id } = JSON.parse(body)
      received.set(id, (received.get(id) ?? 0) + 1)
    }
    expect(acknowledged.length).toBeGreaterThan(KILLS * 10)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(acknowledged.filter((id) => !received.has(id))).toEqual([])
    const recorded = new Map(attemptsIn(file))
    expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([])
    for (const [id, count] of recorded) {
      expect(count, id).toBeLessThanOrEqual(5)
      // Each delivery in flight at a kill was attempted again.
      expect(received.get(id), id).toBeGreaterThanOrEqual(count)
      expect(received.get(id), id).toBeLessThanOrEqual(count + KILLS)
    }
  } finally {
    await server?.kill()
    await target.close()
    rmSync(folder, { recursive: true })
  }
})

/** How many attempts of each event are recorded. */
function attemptsIn(file: string): Array<[id: string, count: number]> {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db
    .prepare(
      `SELECT e.id, count(*) AS count FROM events e JOIN deliveries d ON d.event = e.number
       JOIN attempts a ON a.delivery = d.number GROUP BY d.number`,
    )
    .all() as Array<{ id: string; count: number }>
  db.close()
  return rows.map(({ id, count }) => [id, count])
}
