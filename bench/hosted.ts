// What deliveries cost on PostgreSQL, and whether a tenant with a hanging receiver slows the others down:
// `node ../scripts/services/run.ts postgres -- node hosted.ts`. docs/scaling.md has the results.

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox } from '../mock-server/src/store/types.ts'
import { processorTime } from './database-usage.ts'
import { each, HostedDatabase, ready, stop, usageOf } from './hosted-store.ts'
import { quantile } from './measure.ts'
import { digits, report } from './report.ts'

const url = process.env.TEST_POSTGRES_URL
if (!url) throw new Error('there is no TEST_POSTGRES_URL')

const database = await HostedDatabase.open(url)
const { schema } = database
const one = (sql: string) => database.one(sql)

const WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS value"
const ROWS = `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) AS value FROM pg_stat_user_tables WHERE schemaname = '${schema}'`
const SIZE = `SELECT sum(pg_total_relation_size(relid)) AS value FROM pg_stat_user_tables WHERE schemaname = '${schema}'`

interface Figures {
  took: number
  wal: number
  rows: number
  size: number
  /** By PostgreSQL, in microseconds of processor time. */
  used: number
}

async function figures(): Promise<Figures> {
  // Counters of a backend are written when it has been idle for a second.
  const took = performance.now()
  await delay(1_500)
  const used = await processorTime(database)
  return { took, wal: await one(WAL), rows: await one(ROWS), size: await one(SIZE), used }
}

async function cost(port: number): Promise<void> {
  const count = 20_000
  const { store, sandboxes } = await database.filled(50, () => `http://127.0.0.1:${port}/`)
  const begun = await figures()
  const before = process.cpuUsage()
  await each(count, 10, (index) => database.emit(store, sandboxes[index % 50] as Sandbox))
  const { user, system } = process.cpuUsage(before)
  const committed = await figures()
  const worker = database.worker()
  await ready(worker)
  const pending = `SELECT count(*) AS value FROM ${schema}.deliveries WHERE state = 'pending'`
  while ((await one(pending)) > 0) await delay(250)
  const used = await usageOf(worker)
  const delivered = await figures()
  await stop(worker)
  await store.close()
  const row = (what: string, from: Figures, to: Figures, own: number) => [
    what,
    digits((to.wal - from.wal) / count),
    digits((to.rows - from.rows) / count),
    digits((to.size - from.size) / count),
    digits((to.used - from.used) / count),
    digits(own / count),
  ]
  report(
    [
      'per delivery',
      'WAL bytes',
      'row writes',
      'bytes on disk',
      'µs CPU of PostgreSQL',
      'µs CPU of Node.js',
    ],
    [
      row('the commit with its event', begun, committed, user + system),
      row('the attempt and its record', committed, delivered, used),
      row('both', begun, delivered, user + system + used),
    ],
    [],
  )
}

/** How often each tenant comes: the second half as often as the first, the third a third as often. */
function zipf(tenants: number): () => number {
  const sums: number[] = []
  for (let index = 0; index < tenants; index++) sums.push((sums.at(-1) ?? 0) + 1 / (index + 1))
  const all = sums.at(-1) ?? 0
  return () => {
    const at = Math.random() * all
    return sums.findIndex((sum) => sum >= at)
  }
}

async function tenants(port: number, receiver: ChildProcess): Promise<void> {
  const count = 1_000
  const rate = Number(process.argv[3] ?? 100)
  const seconds = 30
  const noisy = count
  const { store, sandboxes } = await database.filled(count + 1, (index) => {
    return `http://127.0.0.1:${port}/${index === noisy ? 'hangs' : ''}`
  })
  const workers = [database.worker(), database.worker()]
  await Promise.all(workers.map(ready))
  const tenant = zipf(count)

  /** What the receiver has seen since the last time. */
  async function seen() {
    receiver.send('report')
    return (await ready(receiver)) as { ages: number[]; peak: number }
  }

  /** Emits at a rate, from the tenants and from the noisy one. */
  async function round(others: number) {
    await seen()
    const running: Promise<void>[] = []
    const started = performance.now()
    for (let sent = 0; sent < rate * seconds; sent++) {
      const wait = started + (sent * 1000) / rate - performance.now()
      if (wait > 1) await delay(wait)
      running.push(database.emit(store, sandboxes[tenant()] as Sandbox))
      for (let other = 0; other < others; other++) {
        running.push(database.emit(store, sandboxes[noisy] as Sandbox))
      }
    }
    await Promise.all(running)
    await delay(3_000)
    const { ages, peak } = await seen()
    return { missing: rate * seconds - ages.length, peak, ages }
  }

  const rows: string[][] = []
  for (const [what, others] of [
    ['alone', 0],
    ['beside the noisy one', 1],
  ] as const) {
    const { missing, peak, ages } = await round(others)
    const shown = [0.5, 0.95, 0.99, 1].map((share) => digits(quantile(ages, share)))
    rows.push([what, ...shown, `${missing}`, `${peak}`])
  }
  await Promise.all(workers.map(stop))
  await store.close()
  const head = [
    '1,000 tenants',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'most ms',
    'not delivered',
    'at once at the noisy one',
  ]
  report(head, rows, [])
}

const receiver = fork(join(import.meta.dirname, 'timing-receiver.mjs'))
const port = Number(await ready(receiver))
if (process.argv[2] !== 'tenants') await cost(port)
process.stdout.write('\n')
await tenants(port, receiver)
await database.close()
receiver.kill()
