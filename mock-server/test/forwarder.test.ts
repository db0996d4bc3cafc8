/** The program behind `listen`, with mock servers in this process. */
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Forwarder } from '../src/cli/forwarder.ts'
import { Mock } from '../src/cli/mock.ts'
import type { Server } from '../src/server.ts'
import { OTHER } from './kinds.ts'
import { type Receiver, receiver as startReceiver } from './receiver.ts'
import { startReplicated } from './replicated.ts'
import { place } from './stores.ts'
import { SILENT } from './support.ts'
import { gate } from './virtual.ts'

const KEY = 'sk_test_demo'

let servers: Server[]
let receiver: Receiver
/** Keeps the first delivery waiting for its response. */
let first: ReturnType<typeof gate>
let forwarder: Forwarder
let running: Promise<void>
/** The secrets that the forwarder has received. */
let secrets: string[]
/** What to resolve at that many secrets. */
let waiting: Map<number, () => void>

async function serve(port = 0): Promise<Server> {
  const server = await startReplicated({
    port,
    host: '127.0.0.1',
    contract: undefined,
    sandbox: { store: place(), allowPrivate: true },
    log: SILENT,
  })
  servers.push(server)
  return server
}

function forwardFrom({ url }: Server): void {
  forwarder = new Forwarder({
    mock: new Mock({ url }, {}),
    forwardTo: receiver.url,
    events: undefined,
    onSecret: (secret) => waiting.get(secrets.push(secret))?.(),
    onForwarded: () => {},
    onLost: () => {},
    onFound: () => {},
  })
  running = forwarder.run()
}

/** Resolves once the forwarder has received that many secrets. */
const secret = (count: number) =>
  new Promise<void>((resolve) => {
    if (secrets.length >= count) resolve()
    else waiting.set(count, resolve)
  })

async function controlled({ sandboxes }: Server) {
  if (!sandboxes) throw new Error('there is no sandbox')
  return { sandboxes, sandbox: await sandboxes.of(KEY) }
}

async function trigger(server: Server, kind: string): Promise<string> {
  const { sandboxes, sandbox } = await controlled(server)
  return (await sandboxes.life.emit(sandbox, kind, {})).body
}

beforeEach(async () => {
  servers = []
  secrets = []
  waiting = new Map()
  first = gate()
  receiver = await startReceiver(async (response) => {
    if (receiver.received.length === 1) await first.opened
    response.writeHead(204).end()
  })
})
afterEach(async () => {
  first.open()
  forwarder.stop()
  await running
  await Promise.all(servers.map((server) => server.close()))
  await receiver.close()
})

it('forwards the first event of a new server while it still works on one of the old server', async () => {
  const old = await serve()
  forwardFrom(old)
  await secret(1)
  await trigger(old, 'conversation.created')
  await receiver.until(1)
  await old.close()

  const fresh = await serve(Number(new URL(old.url).port))
  const { sandboxes, sandbox } = await controlled(fresh)
  while ((await sandboxes.store.endpoints.list(sandbox)).length === 0) await immediate()
  // Both servers number their deliveries from 1.
  const event = await trigger(fresh, OTHER)
  first.open()
  await sandboxes.settled(sandbox)
  expect(receiver.received.map(({ body }) => body)).toEqual([expect.any(String), event])
  expect(await sandboxes.store.deliveries.list(sandbox, {}, 10)).toMatchObject([
    { kind: OTHER, state: 'succeeded', attempts: [{ status: 204 }] },
  ])
})
