// How fast the hosted sandbox delivers from PostgreSQL, which waits for its disk here: with one, two and three
// processes, beside a million deliveries that wait, and after one of the processes is killed. In the same run, SQLite.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { durablePostgres, each, HostedDatabase, ready, stop } from './hosted-store.ts'
import { median, quantile } from './measure.ts'
import { type Budget, digits, report } from './report.ts'
import { OpenSandbox } from './sandbox.ts'

const count = 20_000
const ENDPOINTS = 50
const MANY = 5_000
const waiting = 1_000_000
const HOUR = 3_600_000

interface Seen {
  /** From the commit to the receiver, in milliseconds. */
  ages: number[]
  /** When the first and the last delivery came, in milliseconds. */
  first: number
  last: number
}

const root = mkdtempSync(join(tmpdir(), 'bench-engine-'))
const postgres = await durablePostgres(root)
const receiver = fork(join(import.meta.dirname, 'timing-receiver.mjs'))
const url = `http://127.0.0.1:${await ready(receiver)}/`
const database = await HostedDatabase.open(postgres.url)

/** What the receiver has seen since the last time. */
async function seen(): Promise<Seen> {
  receiver.send('report')
  return (await ready(receiver)) as Seen
}

async function started(processes: number): Promise<ChildProcess[]> {
  const workers = Array.from({ length: processes }, () => database.worker())
  await Promise.all(workers.map(ready))
  return workers
}

/** Waits until nothing is due any more. */
async function settled(): Promise<void> {
  const due = `SELECT count(*) AS value FROM ${database.schema}.deliveries
    WHERE state = 'pending' AND due <= extract(epoch FROM now()) * 1000`
  while ((await database.one(due)) > 0) await delay(100)
}

interface Extent {
  processes?: number
  /** Of as many tenants. */
  endpoints?: number
  /** How many deliveries of another tenant wait for an hour meanwhile. */
  others?: number
}

/** Deliveries a second. */
async function rate({ processes = 1, endpoints = ENDPOINTS, others = 0 }: Extent): Promise<number> {
  const { store, sandboxes } = await database.filled(endpoints + 1, () => url)
  const last = sandboxes.pop()
  if (others > 0 && last) await database.wait(last, others, Date.now() + HOUR)
  await each(count, 20, async (index) => {
    const sandbox = sandboxes[index % endpoints]
    if (sandbox) await database.emit(store, sandbox)
  })
  await seen()
  const workers = await started(processes)
  await settled()
  const { ages, first, last: end } = await seen()
  if (ages.length !== count) throw new Error(`${ages.length} of ${count} were delivered once`)
  await Promise.all(workers.map(stop))
  await store.close()
  return (count * 1000) / (end - first)
}

/** The same from one file. */
async function rateOfSqlite(): Promise<number> {
  const sandbox = await OpenSandbox.open(join(root, 'sandbox.db'), {
    isDurable: true,
    connections: 10,
  })
  for (let index = 0; index < ENDPOINTS; index++) {
    await sandbox.addEndpoint(`ep_${index}`, url, `kind.${index}`)
    await sandbox.emit(`kind.${index}`, count / ENDPOINTS)
  }
  await seen()
  await sandbox.deliver()
  const { first, last } = await seen()
  await sandbox.close()
  return (count * 1000) / (last - first)
}

/** Ages at 100 events a second, where the machine has time. */
async function ages(processes: number): Promise<number[]> {
  const { store, sandboxes } = await database.filled(ENDPOINTS, () => url)
  const workers = await started(processes)
  await seen()
  await steadily(10_000, async (index) => {
    const sandbox = sandboxes[index % ENDPOINTS]
    if (sandbox) await database.emit(store, sandbox)
  })
  await delay(1_000)
  const { ages } = await seen()
  await Promise.all(workers.map(stop))
  await store.close()
  return ages
}

/** Does work a hundred times a second, for so many milliseconds. */
async function steadily(ms: number, work: (index: number) => Promise<void>): Promise<void> {
  const running: Promise<void>[] = []
  const start = performance.now()
  for (let index = 0; index * 10 < ms; index++) {
    const wait = start + index * 10 - performance.now()
    if (wait > 1) await delay(wait)
    running.push(work(index))
  }
  await Promise.all(running)
}

/** How old an event gets where the process that has its endpoint is killed, in milliseconds. Each receiver takes 300 ms. */
async function recovery(): Promise<number> {
  const { store, sandboxes } = await database.filled(ENDPOINTS, () => `${url}slow`)
  const [victim, ...workers] = await started(3)
  await seen()
  await steadily(12_000, async (index) => {
    if (index === 200) victim?.kill('SIGKILL')
    const sandbox = sandboxes[index % ENDPOINTS]
    if (sandbox) await database.emit(store, sandbox)
  })
  await settled()
  const { ages } = await seen()
  await Promise.all(workers.map(stop))
  await store.close()
  return Math.max(...ages)
}

/** Advances the clock of a sandbox with so many deliveries that wait, in milliseconds. */
async function advance(others: number): Promise<number> {
  const { store, sandboxes } = await database.filled(1, () => url)
  const [sandbox] = sandboxes
  if (!sandbox) throw new Error('there is no sandbox')
  await database.wait(sandbox, others, Date.now() + HOUR)
  const taken: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    const start = performance.now()
    await store.sandboxes.advance(sandbox, 1_000)
    taken.push(performance.now() - start)
  }
  await store.close()
  return median(taken)
}

const quantiles = (all: number[]) => `${digits(median(all))} / ${digits(quantile(all, 0.99))}`

try {
  const sqlite = await rateOfSqlite()
  const alone = await ages(1)
  const shared = await ages(3)
  const rates = [
    await rate({ processes: 1 }),
    await rate({ processes: 2 }),
    await rate({ processes: 3 }),
  ] as const
  const beside = await rate({ others: waiting })
  const many = await rate({ endpoints: MANY })
  const killed = await recovery()
  const advanced = await advance(1_000)
  const budgets: Budget[] = [
    { what: 'deliveries a second, one process', actual: rates[0], limit: 3_000, keep: 'at least' },
    {
      what: 'from the commit to the receiver, p50 ms',
      actual: median(alone),
      limit: 6,
      keep: 'at most',
    },
    { what: 'in flight again after a kill, ms', actual: killed, limit: 6_000, keep: 'at most' },
    { what: 'advance 1,000, ms', actual: advanced, limit: 50, keep: 'at most' },
    {
      what: 'beside 1,000,000 that wait, to none',
      actual: beside / rates[0],
      limit: 0.8,
      keep: 'at least',
    },
  ]
  report(
    ['PostgreSQL, durable', 'figure'],
    [
      ['deliveries a second, 1 / 2 / 3 processes', rates.map(digits).join(' / ')],
      ['the same, SQLite, durable, one process', digits(sqlite)],
      ['the same to 5,000 endpoints instead of 50, one process', digits(many)],
      ['beside 1,000,000 that wait, one process', digits(beside)],
      ['from the commit to the receiver, p50 / p99 ms, one process', quantiles(alone)],
      ['the same, three processes', quantiles(shared)],
      ['one of three processes is killed: oldest event, ms', digits(killed)],
      ['advance a clock that 1,000 wait for, ms', digits(advanced)],
    ],
    budgets,
  )
} finally {
  await database.close()
  receiver.kill()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
}
