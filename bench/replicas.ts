// The hosted sandbox as it is deployed: one, two and three whole servers on one PostgreSQL, which waits for its disk
// here, with requests of 50 tenants. In the same run, a server on SQLite. `--long` loads three servers for two minutes.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../scripts/services/service.ts'
import type { Plan, Result } from './balanced-load.ts'
import { processorTime } from './database-usage.ts'
import { durablePostgres, HostedDatabase, ready } from './hosted-store.ts'
import { quantile } from './measure.ts'
import { digits, report } from './report.ts'
import { calls, loopback, serve, type Usage } from './servers.ts'

const TENANTS = 50
const CONNECTIONS = 20
const isLong = process.argv.includes('--long')
const adminToken = 'bench-admin-token-of-some-length'

const root = mkdtempSync(join(tmpdir(), 'bench-replicas-'))
const postgres = await durablePostgres(root)
const database = await HostedDatabase.open(postgres.url)
const receiver = fork(join(import.meta.dirname, 'receiver.mjs'))
const receiverUrl = `http://${loopback}:${await ready(receiver)}/`

class Replica {
  readonly origin: string
  readonly #child: ChildProcess

  private constructor(origin: string, child: ChildProcess) {
    this.origin = origin
    this.#child = child
  }

  static async start(...options: string[]): Promise<Replica> {
    const port = await freePort()
    const origin = `http://${loopback}:${port}`
    const args = serve('--allow-private-webhooks', ...options)(`${port}`)
    const probe = join(import.meta.dirname, 'probe.mjs')
    const env = {
      ...process.env,
      DATABASE_URL: postgres.url,
      SUPPORT_CHAT_MOCK_ADMIN_TOKEN: adminToken,
      SUPPORT_CHAT_MOCK_PUBLIC_URL: origin,
    }
    const flags = isLong ? ['--expose-gc'] : []
    const child = spawn(process.execPath, [...flags, '--import', probe, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env,
    })
    const replica = new Replica(origin, child)
    while (!(await replica.#isReady())) {
      if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
      await delay(20)
    }
    return replica
  }

  async #isReady(): Promise<boolean> {
    return fetch(`${this.origin}/_mock/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async usage(): Promise<Usage> {
    this.#child.send('usage')
    return (await ready(this.#child)) as Usage
  }

  /** @returns what the response has, which must be a 2xx */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asked for
  async ask(path: string, key: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(this.origin + path, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
    return response.json()
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}

async function hosted(count: number): Promise<Replica[]> {
  const limits = ['requests_per_second', 'deliveries_per_day', 'conversations'].flatMap((name) => [
    '--limit',
    `${name}=100000000`,
  ])
  // The first one creates the tables.
  const replicas = [await Replica.start('--hosted', ...limits)]
  while (replicas.length < count) replicas.push(await Replica.start('--hosted', ...limits))
  return replicas
}

/** Keys, each with an endpoint. */
async function tenants(first: Replica): Promise<string[]> {
  const keys: string[] = []
  for (let index = 0; index < TENANTS; index++) {
    const { key } = await first.ask('/_mock/admin/keys', adminToken, { name: `Tenant ${index}` })
    keys.push(key)
  }
  return keys
}

async function addEndpoints(first: Replica, keys: readonly string[]): Promise<void> {
  for (const key of keys) await first.ask('/_mock/endpoints', key, { url: receiverUrl })
}

async function load(plan: Plan): Promise<Result> {
  const child = fork(join(import.meta.dirname, 'balanced-load.ts'), [JSON.stringify(plan)])
  const result = (await ready(child)) as Result
  if (Object.keys(result.failures).length > 0) {
    throw new Error(`not every response was a 2xx: ${JSON.stringify(result.failures)}`)
  }
  return result
}

/** Of all servers and of PostgreSQL, in microseconds. */
async function usage(replicas: readonly Replica[]): Promise<number> {
  const used = await Promise.all(replicas.map((replica) => replica.usage()))
  return used.reduce((sum, { cpu }) => sum + cpu, await processorTime(database))
}

/** Waits until every event has been delivered. */
async function settled(first: Replica, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    while ((await first.ask('/_mock/deliveries?state=pending', key)).data.length > 0) {
      await delay(50)
    }
  }
}

const kinds = {
  get: [calls.get],
  list: [calls.list],
  'POST, its event delivered': [calls.POST],
}

/** What one set of servers does. */
async function row(
  what: string,
  replicas: Replica[],
  keys: readonly string[],
): Promise<string[][]> {
  const [first] = replicas
  if (!first) throw new Error('there is no server')
  await addEndpoints(first, keys)
  const origins = replicas.map(({ origin }) => origin)
  const rows: string[][] = []
  for (const [kind, its] of Object.entries(kinds)) {
    const plan = { origins, keys: [...keys], calls: its, connections: CONNECTIONS }
    // Each process compiles its code before it is measured.
    await load({ ...plan, seconds: 4 * replicas.length })
    await settled(first, keys)
    const before = await usage(replicas)
    const start = performance.now()
    const { rate, times } = await load({ ...plan, seconds: 8 })
    await settled(first, keys)
    const whole = (times.length * 1000) / (performance.now() - start)
    const cpu = ((await usage(replicas)) - before) / times.length
    const shown = [rate, quantile(times, 0.5), quantile(times, 0.99), cpu].map(digits)
    rows.push([what, kind, ...shown, its === kinds.get || its === kinds.list ? '' : digits(whole)])
  }
  return rows
}

/** Two minutes of everything: nothing fails, and neither memory nor connections grow. */
async function long(): Promise<void> {
  const replicas = await hosted(3)
  const [first] = replicas
  if (!first) throw new Error('there is no server')
  const keys = await tenants(first)
  await addEndpoints(first, keys)
  const origins = replicas.map(({ origin }) => origin)
  const plan: Plan = {
    origins,
    keys,
    calls: [calls.get, calls.list, calls.POST, calls.get, calls.get],
    connections: CONNECTIONS,
    seconds: 40,
  }
  const connections = `SELECT count(*) AS value FROM pg_stat_activity WHERE application_name <> ''
    OR backend_type = 'client backend'`
  const rows: string[][] = []
  for (const part of ['the first 40 s', 'the next 40 s', 'the last 40 s']) {
    const { rate, times } = await load(plan)
    await settled(first, keys)
    const used = await Promise.all(replicas.map((replica) => replica.usage()))
    const memory = used.map(({ heap }) => Math.round(heap / 2 ** 20)).join(' / ')
    const open = await database.one(connections)
    rows.push([part, digits(rate), digits(quantile(times, 0.99)), memory, `${open}`, '0'])
  }
  await Promise.all(replicas.map((replica) => replica.stop()))
  const head = ['50 tenants, three servers', 'requests a second', 'p99 ms', 'MiB of heap in use']
  report([...head, 'connections', 'errors'], rows, [])
}

try {
  if (isLong) await long()
  else {
    const rows: string[][] = []
    const alone = [await Replica.start('--data-dir', join(root, 'data'))]
    const keys = Array.from({ length: TENANTS }, (_, index) => `sk_test_bench${index}`)
    rows.push(...(await row('SQLite, one server', alone, keys)))
    await Promise.all(alone.map((replica) => replica.stop()))
    for (const count of [1, 2, 3]) {
      const replicas = await hosted(count)
      const [first] = replicas
      if (!first) throw new Error('there is no server')
      rows.push(...(await row(`PostgreSQL, ${count}`, replicas, await tenants(first))))
      await Promise.all(replicas.map((replica) => replica.stop()))
    }
    const head = ['servers', 'call', 'a second', 'p50 ms', 'p99 ms', 'CPU µs each']
    report([...head, 'delivered a second'], rows, [])
  }
} finally {
  await database.close()
  receiver.kill()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
}
