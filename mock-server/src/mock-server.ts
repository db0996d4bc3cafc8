/** A mock server as an object, for the tests of an integration. */
import type { EventKind as ContractKind } from '@support-chat/sdk/webhooks'
import { packageVersion } from './assets.ts'
import { advanceBy } from './control/clock.ts'
import { checkUrl } from './control/endpoint-url.ts'
import { DEFAULT_KEY } from './control/key.ts'
import { type Delivery, dated, LISTED } from './control/shown.ts'
import type { SignatureEncoding } from './delivery/sender.ts'
import { fetchHandler } from './door/fetch.ts'
import { createLog } from './door/log.ts'
import { controlOver, type InTest, inTest } from './in-test.ts'
import { Recording } from './record/recording.ts'
import { FUTURE } from './sandbox/future.ts'
import { startServer } from './server.ts'
import type { Place } from './store/open.ts'
import { type DeliveryFilter, STATES } from './store/types.ts'

/**
 * A kind of event: one of the Support Chat contract, or of the contract that the server serves. `trigger` also takes
 * `future`, for an event that no contract has.
 */
export type EventKind = ContractKind | (string & {})

/** A URL that receives events. */
export interface MockEndpoint {
  id: string
  url: string
  /** The signing secret of its deliveries. */
  secret: string
}

/** An endpoint to add. */
export interface MockEndpointOptions {
  url: string
  /** @default a random one */
  secret?: string | undefined
  /** The kinds to send. @default all */
  events?: EventKind[] | undefined
  /** With `contracts`, the revision whose events it receives. @default the first */
  revision?: string | undefined
}

export interface MockServerOptions {
  /** The port on 127.0.0.1. @default 0, a free one */
  port?: number | undefined
  /** The endpoints that the server starts with. */
  webhooks?: MockEndpointOptions[] | undefined
  /**
   * The data of the sandbox as `seed.schema.json` describes it, or the path of a YAML or JSON file with it.
   *
   * @default the contract's examples
   */
  seed?: string | { conversations: object[] } | undefined
  /** Starts without any data. @default false */
  empty?: boolean | undefined
  /** The path of an OpenAPI document to serve. @default the Support Chat contract */
  contract?: string | undefined
  /**
   * The paths of several revisions of a contract, the oldest first, to serve at once. The header
   * `x-mock-revision` of a request chooses one of them by its name in `revisions`. @default `contract` alone
   */
  contracts?: string[] | undefined
  /**
   * Refuses a contract with problems, and fails requests whose response or event would contradict it.
   * @default false
   */
  strict?: boolean | undefined
  /** The encoding of signatures. @default hex */
  signatureEncoding?: SignatureEncoding | undefined
  /** The timeout of a delivery attempt, in milliseconds. @default 10,000 */
  attemptTimeout?: number | undefined
  /** The path of a HAR file to which calls and deliveries are added, without secrets. @default none */
  record?: string | undefined
}

export interface MockServer extends InTest {
  /** The base URL, for example `http://127.0.0.1:51234`: no version, no trailing slash. */
  url: string
  /** An API key that the server accepts. */
  apiKey: string
  /** The names of the revisions of the contract, which are their versions. The first one is the default. */
  revisions: readonly string[]
  /** Returns the server's responses without a connection. Resolves paths against `url`. */
  fetch: typeof globalThis.fetch
  /** The endpoints, those of `webhooks` first. */
  endpoints: readonly MockEndpoint[]
  /** Adds an endpoint. */
  addEndpoint(options: MockEndpointOptions): Promise<MockEndpoint>
  /** Resets the sandbox. The endpoints of `webhooks` stay, with their secrets. */
  reset(): Promise<void>
  /**
   * Moves the clock forward, for example by `PT24H`. Resolves when every attempt that became due has ended.
   *
   * @returns the new time.
   */
  advance(duration: string): Promise<Date>
  /**
   * Sends an event without changing any conversation. `future` is a kind that no contract has.
   *
   * @param options With `copies`, each endpoint gets the event so often, from 1 to 10 times.
   * @returns its envelope
   */
  trigger(
    kind: EventKind | 'future',
    data?: Record<string, unknown>,
    options?: { copies?: number | undefined },
  ): Promise<Record<string, unknown>>
  /** Lists the deliveries, newest first, after all due attempts have ended. */
  deliveries(filter?: DeliveryFilter): Promise<Delivery[]>
  /** Replays a delivery that succeeded or is dead. Resolves when its attempt has ended. */
  replay(id: string): Promise<Delivery>
  /** Makes the next attempt of a pending delivery. Resolves when it has ended. */
  retryNow(id: string): Promise<Delivery>
  /** Gives an endpoint a new secret, also in `endpoints`. */
  rotate(endpoint: string): Promise<MockEndpoint>
  /** Keeps the sandbox under a name, with its clock, endpoints and deliveries. */
  snapshot(name: string): Promise<void>
  /** Brings the sandbox back to a snapshot, and `endpoints` too. */
  restore(name: string): Promise<void>
  /** Waits for the running requests and stops. May be called more than once. */
  close(): Promise<void>
}

/** Starts a mock server inside a test. @throws as `createMockServer` does. */
export async function startMockServer(
  store: Place,
  options: MockServerOptions,
): Promise<MockServer> {
  const { port = 0, webhooks = [], seed, empty = false, contract, contracts } = options
  const { signatureEncoding: encoding, attemptTimeout, strict, record } = options
  if (empty && seed !== undefined) throw new Error('Set `seed` or `empty`, not both.')
  if (contract !== undefined && contracts)
    throw new Error('Set `contract` or `contracts`, not both.')
  if (contracts?.length === 0)
    throw new Error('An empty `contracts` has nothing to serve. Leave it out.')
  webhooks.forEach(checkEndpoint)
  const log = createLog('error')
  const recording =
    record === undefined
      ? undefined
      : new Recording(record, packageVersion(), (message) => log.error(message))
  const server = await startServer({
    port,
    host: '127.0.0.1',
    contract: contracts ?? contract,
    isStrict: strict,
    recording,
    log,
    sandbox: {
      store,
      seed: empty ? 'empty' : seed === undefined ? undefined : { file: seed },
      allowPrivate: true,
      encoding,
      attemptTimeout,
    },
  })
  const { sandboxes, url } = server
  if (!sandboxes) throw new Error('there is no sandbox')
  const control = sandboxes
  const services = server.services()
  const revisions = services.map(({ name }) => name)
  const sandbox = () => control.of(DEFAULT_KEY)
  const inProcess = fetchHandler(server.handler, url)
  const call = controlOver(inProcess, DEFAULT_KEY)
  const endpoints: MockEndpoint[] = []

  async function addEndpoint(endpoint: MockEndpointOptions): Promise<MockEndpoint> {
    checkEndpoint(endpoint)
    const { url, secret, events = null, revision } = endpoint
    for (const kind of events ?? []) serviceFor(kind, revision)
    const follows = revision === undefined ? control.revision : control.known(revision)
    const options = { url, kinds: events, revision: follows, ...(secret && { secret }) }
    const added = await control.endpoints.add(await sandbox(), options)
    const shown = { id: added.id, url, secret: added.secret }
    endpoints.push(shown)
    return shown
  }

  /** The first service that has a kind of event. @param revision The only one that counts. */
  function serviceFor(kind: string, revision?: string) {
    const counting = services.filter(({ name }) => revision === undefined || name === revision)
    const found = counting.find(({ contract }) => contract.description.kinds.includes(kind))
    if (found) return found
    const kinds = new Set(counting.flatMap(({ contract }) => contract.description.kinds))
    throw new Error(`${kind} is not a kind of event. Use one of: ${[...kinds].join(', ')}.`)
  }

  /** Lists the endpoints of the sandbox in `endpoints`, after they may be others. */
  async function relist(): Promise<void> {
    const now = await control.store.endpoints.list(await sandbox())
    endpoints.splice(
      0,
      endpoints.length,
      ...now.map(({ id, url, secret }) => ({ id, url, secret })),
    )
  }

  const settle = async () => control.settled(await sandbox())
  const deliveryOf = async (id: string) => dated(await control.deliveries.get(await sandbox(), id))

  try {
    for (const endpoint of webhooks) await addEndpoint(endpoint)
  } catch (error) {
    await server.close()
    throw error
  }
  return {
    url,
    apiKey: DEFAULT_KEY,
    revisions,
    fetch: inProcess,
    ...inTest(call),
    endpoints,
    addEndpoint,
    async reset() {
      await sandboxes.reset(await sandbox())
      await server.requests.clear(DEFAULT_KEY)
      const secrets = endpoints.splice(0).map(({ secret }) => secret)
      for (const [index, webhook] of webhooks.entries()) {
        await addEndpoint({ ...webhook, secret: secrets[index] })
      }
    },
    async advance(duration) {
      return new Date(await advanceBy(sandboxes, await sandbox(), duration))
    },
    trigger(kind, data, options) {
      const { name } = kind === FUTURE ? { name: undefined } : serviceFor(kind)
      return call('POST', 'trigger', { kind, data, ...options }, name)
    },
    async deliveries(filter = {}) {
      if (filter.state !== undefined && !STATES.includes(filter.state)) {
        throw new Error(`${filter.state} is not a state. Use one of: ${STATES.join(', ')}.`)
      }
      const mine = await sandbox()
      await sandboxes.settled(mine)
      return (await sandboxes.store.deliveries.list(mine, filter, LISTED)).map(dated)
    },
    async replay(id) {
      const mine = await sandbox()
      await sandboxes.settled(mine)
      await sandboxes.deliveries.replay(mine, id)
      await sandboxes.settled(mine)
      return deliveryOf(id)
    },
    async retryNow(id) {
      await sandboxes.deliveries.retry(await sandbox(), id)
      await settle()
      return deliveryOf(id)
    },
    async rotate(id) {
      const { secret } = await sandboxes.endpoints.rotate(await sandbox(), id)
      const known = endpoints.find((one) => one.id === id)
      return known ? Object.assign(known, { secret }) : { id, url: '', secret }
    },
    async snapshot(name) {
      await call('POST', 'snapshots', { name })
    },
    async restore(name) {
      await call('POST', `snapshots/${encodeURIComponent(name)}/restore`, {})
      await relist()
    },
    close: server.close,
  }
}

/** Refuses an endpoint that would otherwise only show as a dead delivery. */
function checkEndpoint({ url, secret, events }: MockEndpointOptions): void {
  checkUrl(url)
  if (secret?.trim() === '')
    throw new Error('The secret of an endpoint is blank. Set one, or leave it out.')
  if (events?.length === 0)
    throw new Error('An empty `events` receives nothing. Leave it out to receive all events.')
}
