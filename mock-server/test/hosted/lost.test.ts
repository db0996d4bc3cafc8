// Processes are killed and stopped, and connections end, while events come in: what was acknowledged is delivered all the
// same, and never by two processes at once.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Postgres, startPostgres } from '../../../scripts/services/postgres.ts'
import type { Service } from '../../../scripts/services/service.ts'
import { Commands } from '../command.ts'
import { pgBouncer } from '../pgbouncer.ts'
import { type Receiver, receiver as startReceiver } from '../receiver.ts'
import { Wire } from '../wire.ts'
import { ADMIN_TOKEN, issue, send } from './hosted.ts'

const isSoak = process.env.MODE === 'soak'
const TURNS = isSoak ? 50 : 6
/** How long the processes are left alone in between, in milliseconds. */
const PACE = 1_500
/** For how long a process is stopped and the network is cut, in milliseconds: longer than others believe in a process. */
const STOPPED = isSoak ? 60_000 : 7_000
const CUT = isSoak ? 20_000 : 7_000
const PROCESSES = 3

let folder: string
let primary: Postgres
let standby: Postgres | undefined
let pooler: Service
let wire: Wire
/** Of the database, and of the one without the pooler. */
let urls: string[]
let commands: Commands
let receiver: Receiver
/** How many requests the receiver handled at once, at most. */
let most: number

/** A new folder for a database, which may have another account. */
function folderOf(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

async function administrate(sql: string, { url }: Service = primary): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lost-'))
  chmodSync(folder, 0o755)
  primary = await startPostgres(folderOf('primary'))
  standby = undefined
  wire = new Wire(primary.url)
  const direct = await wire.start()
  pooler = await pgBouncer(10, direct)
  urls = [pooler.url, direct]
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
  await pooler.stop()
  wire.stop()
  await receiver.close()
  await primary.stop()
  await standby?.stop()
  rmSync(folder, { recursive: true })
})

function serve() {
  const [url = '', direct = ''] = urls
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
      await delay(CUT)
      wire.mend()
    },
  },
  'all connections to the database end': {
    turns: TURNS,
    disturb: () =>
      administrate(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND client_addr IS NOT NULL',
      ),
  },
  'the database crashes and starts again': {
    turns: Math.ceil(TURNS / 6),
    async disturb() {
      await primary.stop()
      await primary.start()
    },
  },
  'a standby takes over from the database': {
    turns: 1,
    async disturb() {
      standby = await primary.standby(folderOf('standby'))
      // From now on, a commit is acknowledged when both have it.
      await administrate("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await administrate('SELECT pg_reload_conf()')
      await delay(PACE)
      await primary.stop()
      await administrate('SELECT pg_promote()', standby)
      wire.redirect(standby.url)
    },
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
