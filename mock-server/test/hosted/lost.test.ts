// Processes are killed and stopped, and connections end, while events come in: what was acknowledged is delivered all the
// same, and never by two processes at once.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Commands } from '../command.ts'
import { hasPgBouncer, type Pooler, pgBouncer } from '../pgbouncer.ts'
import { databaseUrl } from '../postgres.ts'
import { type Receiver, receiver as startReceiver } from '../receiver.ts'
import { Wire } from '../wire.ts'
import { ADMIN_TOKEN, issue, send } from './hosted.ts'

const isSoak = process.env.MODE === 'soak'
const TURNS = isSoak ? 50 : 6
/** How long the processes are left alone in between, in milliseconds. */
const PACE = 1_500
/** How long a process is stopped, or the network cut, in milliseconds: longer than others believe in a process. */
const STOPPED = 7_000
const PROCESSES = 3

const database = `lost_${randomBytes(6).toString('hex')}`
/** Stands in between, where it is installed. */
let pooler: Pooler | undefined
let wire: Wire
/** Of the database, and of the one without the pooler. */
let urls: string[]
let commands: Commands
let receiver: Receiver
/** How many requests the receiver handled at once, at most. */
let most: number

async function administrate(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

beforeEach(async () => {
  await administrate(`CREATE DATABASE ${database}`)
  wire = new Wire(databaseUrl())
  const direct = await wire.start()
  if (hasPgBouncer) pooler = await pgBouncer(10, direct)
  urls = [pooler?.url ?? direct, direct]
  commands = new Commands()
  most = 0
  receiver = await startReceiver(async (response) => {
    most = Math.max(most, receiver.running())
    await delay(5)
    response.writeHead(Math.random() < 0.02 ? 503 : 204).end()
  })
})
afterEach(async () => {
  commands.close()
  await pooler?.stop()
  wire.stop()
  await receiver.close()
  await administrate(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
})

function serve() {
  const [url = '', direct = ''] = urls.map((text) => new URL(`/${database}`, text).href)
  const args = ['--hosted', '--allow-private-webhooks', '--time-scale', '0.001']
  return commands.serve([...args, '--limit', 'requests_per_second=100000'], {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: direct,
    SUPPORT_CHAT_MOCK_ADMIN_TOKEN: ADMIN_TOKEN,
    SUPPORT_CHAT_MOCK_PUBLIC_URL: 'http://sandbox.test',
  })
}

type Run = Awaited<ReturnType<typeof serve>>
type Servers = Run[]

function oneOf(servers: Servers): number {
  return Math.floor(Math.random() * servers.length)
}

/** What happens to the processes of a server, once. */
const DISTURBANCES: Record<
  string,
  { turns: number; disturb: (servers: Servers) => Promise<void> }
> = {
  'a process is killed': {
    turns: TURNS,
    async disturb(servers) {
      const victim = oneOf(servers)
      servers[victim]?.child.kill('SIGKILL')
      servers[victim] = await serve()
    },
  },
  'a process stops for longer than others believe in it': {
    turns: Math.ceil(TURNS / 6),
    async disturb(servers) {
      const victim = servers[oneOf(servers)]
      victim?.child.kill('SIGSTOP')
      await delay(STOPPED)
      victim?.child.kill('SIGCONT')
    },
  },
  'the network to the database is cut': {
    turns: Math.ceil(TURNS / 6),
    async disturb() {
      wire.cut()
      await delay(STOPPED)
      wire.mend()
    },
  },
  'all connections to the database end': {
    turns: TURNS,
    disturb: () =>
      administrate(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
      ),
  },
}

it.each(Object.entries(DISTURBANCES))(
  'nothing that was acknowledged is lost where %s',
  { timeout: isSoak ? 1_800_000 : 300_000 },
  async (_, { turns, disturb }) => {
    const servers = [await serve()]
    const [first] = servers
    if (!first) throw new Error('no server')
    const { key } = await issue(first, { deliveries_per_day: 1_000_000 })
    await send(first, '/_mock/endpoints', { key, body: { url: receiver.url } })
    while (servers.length < PROCESSES) servers.push(await serve())

    const acknowledged = new Set<string>()
    let isOver = false
    const emit = async (turn: number) => {
      for (let count = turn; !isOver; count++) {
        const server = servers[count % servers.length]
        const body = { kind: 'conversation.resolved' }
        // A process that is killed or stopped meanwhile acknowledges nothing.
        const sent = server && send(server, '/_mock/trigger', { key, body }).catch(() => null)
        const response = await Promise.race([sent, delay(1000, null)])
        if (response?.status === 201) acknowledged.add(response.body.id)
        await delay(10)
      }
    }
    const emitting = [0, 1].map(emit)
    for (let turn = 0; turn < turns; turn++) {
      await delay(PACE)
      await disturb(servers)
    }
    await delay(PACE)
    isOver = true
    await Promise.all(emitting)

    const [last] = servers
    if (!last) throw new Error('no server')
    const deliveries = async (query: string) => {
      const { body } = await send(last, `/_mock/deliveries${query}`, { key })
      return body.data as Array<{ event_id: string; attempts: unknown[] }>
    }
    const pending = async () => (await deliveries('?state=pending')).length
    await expect.poll(pending, { timeout: 120_000, interval: 500 }).toBe(0)

    const delivered = new Set(receiver.received.map(({ body }) => JSON.parse(body).id))
    expect(acknowledged.size).toBeGreaterThan(50)
    expect([...acknowledged].filter((id) => !delivered.has(id))).toEqual([])
    expect(most).toBeLessThanOrEqual(10)
    const attempts = (await deliveries('')).map(({ attempts }) => attempts.length)
    expect(Math.max(...attempts)).toBeLessThanOrEqual(5)
  },
)
