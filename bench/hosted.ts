// What deliveries cost on PostgreSQL, and whether a tenant with a hanging receiver slows the others down:
// `node ../scripts/services/run.ts postgres -- node hosted.ts`. docs/scaling.md has the results.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { EMPTY } from '../mock-server/src/sandbox/seed.ts'
import { PostgresStore } from '../mock-server/src/store/postgres/index.ts'
import type { Sandbox } from '../mock-server/src/store/types.ts'
import { digits, report } from './report.ts'

const url = process.env.TEST_POSTGRES_URL
if (!url) throw new Error('there is no TEST_POSTGRES_URL')
const schema = 'bench_hosted'
const onError = (message: string) => process.stderr.write(`${message}\n`)
/** The size of a body, in bytes. */
const BODY = 350
/** Clock ticks of /proc, a second. */
const TICKS = 100

const client = new pg.Client({ connectionString: url })
await client.connect()
const one = async (sql: string) => Number((await client.query(sql)).rows[0].value)

/** A store that only commits, and the sandboxes in it, each with an endpoint. */
async function filled(sandboxes: number, urlOf: (index: number) => string) {
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  const options = { url: url as string, directUrl: url, schema, delivers: false, onError }
  const store = await PostgresStore.open(options)
  const all: Sandbox[] = []
  for (let index = 0; index < sandboxes; index++) {
    const sandbox = await store.sandboxes.get(`tenant ${index}`, () => EMPTY)
    if (!sandbox) throw new Error('there is no room')
    const endpoint = { id: `ep_${index}`, url: urlOf(index), kinds: null, secret: 'whsec_bench' }
    await store.endpoints.add(sandbox, endpoint)
    all.push(sandbox)
  }
  return { store, sandboxes: all }
}

let events = 0
async function emit(store: PostgresStore, sandbox: Sandbox): Promise<void> {
  const at = Date.now()
  const plain = { at, text: '' }
  const text = 'x'.repeat(BODY - JSON.stringify(plain).length)
  const event = { id: `evt_${++events}`, kind: 'conversation.message', occurredAt: at }
  const change = { events: [{ ...event, body: JSON.stringify({ ...plain, text }) }] }
  await store.state.commit(sandbox, change)
}

/** Runs work for each of so many, some at once. */
async function each(count: number, atOnce: number, work: (index: number) => Promise<void>) {
  let next = 0
  const loop = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

async function ready(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message')
  return message
}

const workerOf = () => fork(join(import.meta.dirname, 'hosted-worker.ts'), [url as string, schema])

async function usageOf(worker: ChildProcess): Promise<number> {
  worker.send('usage')
  const { user, system } = (await ready(worker)) as NodeJS.CpuUsage
  return user + system
}

async function stop(worker: ChildProcess): Promise<void> {
  worker.send('stop')
  await once(worker, 'exit')
}

/** The CPU time of PostgreSQL, in microseconds. */
async function databaseUsage(): Promise<number> {
  const statOf = (pid: string | number) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  }
  const backend = await one('SELECT pg_backend_pid() AS value')
  const postmaster = statOf(backend)[1] ?? ''
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid)
      if (fields[1] === postmaster) ticks += Number(fields[11]) + Number(fields[12])
      // With the children that have ended.
      if (pid === postmaster) for (const at of [11, 12, 13, 14]) ticks += Number(fields[at])
    } catch {
      // It has just ended.
    }
  }
  return (ticks * 1_000_000) / TICKS
}

const WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS value"
const ROWS = `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) AS value FROM pg_stat_user_tables WHERE schemaname = '${schema}'`
const SIZE = `SELECT sum(pg_total_relation_size(relid)) AS value FROM pg_stat_user_tables WHERE schemaname = '${schema}'`

interface Figures {
  took: number
  wal: number
  rows: number
  size: number
  database: number
}

async function figures(): Promise<Figures> {
  // Counters of a backend are written when it has been idle for a second.
  const took = performance.now()
  await delay(1_500)
  const database = await databaseUsage()
  return { took, wal: await one(WAL), rows: await one(ROWS), size: await one(SIZE), database }
}

async function cost(port: number): Promise<void> {
  const count = 20_000
  const { store, sandboxes } = await filled(50, () => `http://127.0.0.1:${port}/`)
  const begun = await figures()
  const before = process.cpuUsage()
  await each(count, 10, (index) => emit(store, sandboxes[index % 50] as Sandbox))
  const { user, system } = process.cpuUsage(before)
  const committed = await figures()
  const worker = workerOf()
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
    digits((to.database - from.database) / count),
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

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

async function tenants(port: number, receiver: ChildProcess): Promise<void> {
  const count = 1_000
  const rate = Number(process.argv[3] ?? 100)
  const seconds = 30
  const noisy = count
  const { store, sandboxes } = await filled(count + 1, (index) => {
    return `http://127.0.0.1:${port}/${index === noisy ? 'hangs' : ''}`
  })
  const workers = [workerOf(), workerOf()]
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
      running.push(emit(store, sandboxes[tenant()] as Sandbox))
      for (let other = 0; other < others; other++) {
        running.push(emit(store, sandboxes[noisy] as Sandbox))
      }
    }
    await Promise.all(running)
    await delay(3_000)
    const { ages, peak } = await seen()
    const sorted = ages.sort((a, b) => a - b)
    return { missing: rate * seconds - sorted.length, peak, sorted }
  }

  const rows: string[][] = []
  for (const [what, others] of [
    ['alone', 0],
    ['beside the noisy one', 1],
  ] as const) {
    const { missing, peak, sorted } = await round(others)
    const shown = [0.5, 0.95, 0.99, 1].map((share) => digits(quantile(sorted, share)))
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
await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
await client.end()
receiver.kill()
