// How many deliveries a second the sandbox makes and records, beside undici alone that records nothing, on
// as many connections to one receiver.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededChance } from '../mock-server/src/delivery/schedule.ts'
import { Sender } from '../mock-server/src/delivery/sender.ts'
import { Worker } from '../mock-server/src/delivery/worker.ts'
import { SqliteStore } from '../mock-server/src/store/sqlite/index.ts'
import { median, noise, type Round, shuffled } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

// The one that the mock server sends with.
const require = createRequire(join(import.meta.dirname, '../mock-server/package.json'))
const { Agent, request } = require('undici') as typeof import('undici')

const count = 20_000
const connections = 50
const rounds = 5
const waiting = 100_000
const body = JSON.stringify({
  event: 'conversation.message',
  id: 'evt_0010000000001',
  occurred_at: '2026-03-02T09:14:09Z',
  data: { conversation_id: 'conv_01J2Z8M3VN', message: 'x'.repeat(230) },
})

const receiver = fork(join(import.meta.dirname, 'receiver.mjs'))
const [port] = await once(receiver, 'message')
const url = `http://127.0.0.1:${port}/`
const folder = mkdtempSync(join(tmpdir(), 'bench-outbox-'))
const agent = new Agent({ connections })

/** Milliseconds for all deliveries. */
async function bare(): Promise<number> {
  const start = performance.now()
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const response = await request(url, { method: 'POST', dispatcher: agent, headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return performance.now() - start
}

/** The same, recorded; beside so many that wait for another time. */
async function recorded(isDurable: boolean, others = 0): Promise<number> {
  const store = new SqliteStore(join(folder, `${Math.random()}.db`), { isDurable })
  const sender = new Sender({ allowPrivate: true, encoding: 'hex', userAgent: 'bench' })
  const worker = new Worker({
    store,
    now: Date.now,
    log: {
      error(message, fields) {
        throw new Error(message, { cause: fields })
      },
      warn() {},
      info() {},
    },
    send: (job) => sender.send(job),
    schedule: { timeScale: 1, chance: seededChance },
    index: async () => {},
    concurrency: connections,
  })
  const sandbox = await store.sandbox('bench', () => ({
    conversations: [],
    sources: [],
    endpoints: [],
  }))
  if (!sandbox) throw new Error('there is no room')
  const emit = async (kind: string, number: number) => {
    for (let done = 0; done < number; done += 500) {
      const events = Array.from({ length: 500 }, (_, index) => ({
        id: `evt_${kind}_${done + index}`,
        kind,
        occurredAt: Date.now(),
        body,
      }))
      await store.commit(sandbox, { events })
    }
  }
  const add = (id: string, kind: string) =>
    store.addEndpoint(sandbox, { id, url, kinds: [kind], secret: 'whsec_bench' })
  if (others > 0) {
    await add('ep_waiting', 'knowledge.indexed')
    await emit('knowledge.indexed', others)
    const [endpoint = 0] = await store.endpointNumbers(sandbox)
    const jobs = await store.claim(endpoint, Date.now(), others)
    const attempt = { at: Date.now(), status: 500, reason: '500', headers: {}, body: '' }
    const due = Date.now() + 3_600_000
    await store.record(jobs.map(({ delivery }) => ({ delivery, attempt, state: 'pending', due })))
  }
  await add('ep_now', 'conversation.message')
  await emit('conversation.message', count)

  const start = performance.now()
  await worker.poke(sandbox)
  await worker.settled()
  const took = performance.now() - start
  await worker.stop()
  await sender.close()
  await store.close()
  return took
}

const contenders = {
  bare,
  normal: () => recorded(false),
  full: () => recorded(true),
  waiting: () => recorded(false, waiting),
}
type Name = keyof typeof contenders
const names = Object.keys(contenders) as Name[]
const labels: Record<Name, string> = {
  bare: 'undici alone, nothing recorded',
  normal: '**sandbox**, survives SIGKILL',
  full: '**sandbox**, survives the loss of power',
  waiting: '**sandbox**, beside 100,000 that wait',
}

await bare()
const results: Round<Name>[] = []
for (let round = 0; round < rounds; round++) {
  const result = {} as Round<Name>
  for (const name of shuffled(names)) result[name] = await contenders[name]()
  results.push(result)
}
await agent.close()
receiver.kill()
rmSync(folder, { recursive: true })

const share = (name: Name) => median(results.map((round) => round.bare / round[name]))
const budget = (name: Name, limit: number): Budget => ({
  what: `deliveries a second, ${labels[name].replaceAll('*', '')}, to undici alone`,
  actual: share(name),
  limit,
  keep: 'at least',
})
report(
  ['', 'a second', 'to undici alone', 'noise'],
  names.map((name) => {
    const taken = results.map((round) => round[name])
    return [
      labels[name],
      digits((count * 1000) / median(taken)),
      share(name).toFixed(2),
      percent(noise(taken)),
    ]
  }),
  [budget('normal', 0.6), budget('full', 0.45)],
)
