import { readFile } from 'node:fs/promises'
import { createApp } from './app.ts'
import { CONTRACT, PREPARED } from './assets.ts'
import { DriftCheck } from './contract/drift.ts'
import { type Forms, formsOf } from './contract/form.ts'
import { type Contract, readPrepared } from './contract/load.ts'
import { Problems } from './contract/problems.ts'
import { controlOf, publishedFor } from './control/document.ts'
import type { GuardOptions } from './control/guard.ts'
import { healthRoute } from './control/health.ts'
import { controlRoutes } from './control/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { SenderOptions, SignatureEncoding } from './delivery/sender.ts'
import { listen } from './door/listener.ts'
import type { Log } from './door/log.ts'
import type { Handler } from './door/message.ts'
import { Bindings } from './sandbox/bindings.ts'
import { Sandboxes } from './sandbox/sandboxes.ts'
import { EMPTY, seedOf } from './sandbox/seed.ts'
import { readSeed } from './sandbox/seed-file.ts'
import { SqliteStore } from './store/sqlite/index.ts'
import type { Seed } from './store/types.ts'

export interface ServerOptions {
  /** 0 for a free one. */
  port: number
  host: string
  /** The path of an OpenAPI document; undefined for the contract of this package. */
  contract: string | undefined
  /** Fails requests whose response or event would contradict the contract. @default false */
  isStrict?: boolean | undefined
  /** Null to respond from the contract alone. */
  sandbox: SandboxOptions | null
  log: Log
}

export interface SandboxOptions {
  /** The path of a SQLite file, or `:memory:`. */
  file: string
  /** Whether acknowledged data survives a power failure. @default false */
  isDurable?: boolean | undefined
  /** The data of a new sandbox. @default the contract's examples */
  seed?: Seed | 'empty' | { file: string } | undefined
  /** The control token. @default none */
  token?: string | undefined
  /** Allows deliveries to loopback and private networks. */
  allowPrivate: boolean
  /** @default the first that the contract names, else hex */
  encoding?: SignatureEncoding | undefined
  /** The timeout of a delivery attempt, in milliseconds. @default 10,000 */
  attemptTimeout?: number | undefined
  /** Multiplies each wait between attempts. @default 1 */
  timeScale?: number | undefined
  /** How long events and succeeded deliveries are kept, in milliseconds. @default 30 days */
  retention?: number | undefined
  /** The clock, in milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined
}

export interface Server {
  /** The base URL, without a version or a trailing slash. */
  url: string
  handler: Handler
  contract: Contract
  sandboxes: Sandboxes | null
  /** Waits for the running requests and attempts, and stops. */
  close(): Promise<void>
}

/**
 * Loads the contract and starts the server.
 *
 * @throws {ContractError} for an invalid contract.
 * @throws {StoreError} for a file that cannot be used; what node:net reports otherwise.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { port, host, log, sandbox } = options
  const contract = await load(options.contract)
  const isShipped = options.contract === undefined
  const forms = formsOf(contract, ({ where, field, detail }) =>
    log.warn('the sandbox deviates from the contract', { where, field, detail }),
  )
  const drift = options.isStrict ? new DriftCheck(contract.description) : undefined
  let url = ''
  const sandboxes =
    sandbox && (await open(sandbox, { contract, isShipped, forms, drift, baseUrl: () => url, log }))
  const own = sandboxes
    ? await ownRoutes(sandboxes, isShipped, { host, token: sandbox.token ?? null })
    : []
  const api = { sandboxes, problems: new Problems(forms), drift }
  const handler = createApp(contract, api, [healthRoute(sandboxes), ...own], log)
  try {
    const listener = await listen(handler, port, host)
    url = `http://${authority(host)}:${listener.port}`
    await sandboxes?.start()
    const close = async () => {
      await Promise.all([sandboxes?.listeners.stop(), listener.close()])
      await sandboxes?.close()
    }
    let closed: Promise<void> | undefined
    return {
      url,
      handler,
      contract,
      sandboxes,
      close: () => {
        closed ??= close()
        return closed
      },
    }
  } catch (error) {
    await sandboxes?.close()
    throw error
  }
}

interface World {
  contract: Contract
  isShipped: boolean
  forms: Forms
  drift: DriftCheck | undefined
  baseUrl: () => string
  log: Log
}

async function open(options: SandboxOptions, world: World): Promise<Sandboxes> {
  const { file, isDurable = false, seed, timeScale, retention, now } = options
  const { contract, forms, drift, baseUrl, log } = world
  const bindings = new Bindings(forms)
  const data = await seedFor(seed, bindings, world.isShipped)
  const path = pathOf(contract, bindings)
  const store = new SqliteStore(file, { isDurable, ...(now && { now }) })
  if (seed !== undefined && store.sandboxes.size > 0) {
    log.warn(
      'existing sandboxes keep their data: --seed and --empty apply to new sandboxes and after a reset',
      {
        sandboxes: store.sandboxes.size,
      },
    )
  }
  return new Sandboxes({
    store,
    seed: data,
    bindings,
    drift,
    urlOf: (id) => baseUrl() + path.replace(/\{[^}]*\}/, encodeURIComponent(id)),
    sender: senderOf(options, contract),
    timeScale,
    retention,
    log,
    now,
  })
}

/** How deliveries are sent: signed as the contract says. */
function senderOf(
  { allowPrivate, encoding, attemptTimeout }: SandboxOptions,
  { description: { signature } }: Contract,
): SenderOptions {
  const [usual] = signature?.encodings.values ?? []
  return {
    allowPrivate,
    encoding: encoding ?? (usual as SignatureEncoding | undefined) ?? 'hex',
    userAgent: 'support-chat-mock',
    ...(attemptTimeout !== undefined && { timeout: attemptTimeout }),
    ...(signature && {
      signature: {
        header: signature.header.toLowerCase(),
        eventHeader: signature.event_header.toLowerCase(),
        prefix: signature.prefix,
      },
    }),
  }
}

/** The data of a new sandbox. */
async function seedFor(
  seed: SandboxOptions['seed'],
  bindings: Bindings,
  isShipped: boolean,
): Promise<Seed> {
  if (seed === undefined) return seedOf(bindings)
  if (seed === 'empty') return EMPTY
  if (!('file' in seed)) return seed
  const schema = isShipped ? undefined : (await publishedFor(bindings)).seed
  return readSeed(seed.file, { schema, form: bindings.operation('get')?.form ?? undefined })
}

/** The path template of a conversation; empty if the contract has none. */
function pathOf({ operations }: Contract, bindings: Bindings): string {
  const { described } = bindings.operation('get') ?? {}
  const found = operations.find(
    ({ method, prism }) => method === described?.method && prism.path === described.path,
  )
  return found?.path ?? ''
}

async function ownRoutes(sandboxes: Sandboxes, isShipped: boolean, options: GuardOptions) {
  const control = await controlOf(sandboxes.bindings, isShipped)
  return [
    ...controlRoutes(control.contract.operations, sandboxes, options),
    ...dashboardRoutes(sandboxes, { ...options, limits: control.limits }),
  ]
}

async function load(file: string | undefined): Promise<Contract> {
  // The shipped contract was checked when the package was built.
  if (file === undefined) return readPrepared(PREPARED, await readFile(CONTRACT, 'utf8'))
  const { loadCheckedContract } = await import('./contract/check.ts')
  return loadCheckedContract(file)
}

/** The host in the form of a URL. */
function authority(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
