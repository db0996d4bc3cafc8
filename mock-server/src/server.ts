import { readFile } from 'node:fs/promises'
import { createApp } from './app.ts'
import { CONTRACT, CONTROL, OPERATIONS } from './assets.ts'
import { type Contract, readOperations } from './contract/load.ts'
import type { GuardOptions } from './control/guard.ts'
import { healthRoute } from './control/health.ts'
import { controlRoutes } from './control/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { SignatureEncoding } from './delivery/sender.ts'
import { listen } from './door/listener.ts'
import type { Log } from './door/log.ts'
import type { Handler } from './door/message.ts'
import { Sandboxes } from './sandbox/sandboxes.ts'
import { EMPTY, seedOf } from './sandbox/seed.ts'
import { SqliteStore } from './store/sqlite/index.ts'
import type { Seed } from './store/types.ts'

export interface ServerOptions {
  /** 0 for a free one. */
  port: number
  host: string
  /** The path of an OpenAPI document; undefined for the contract of this package. */
  contract: string | undefined
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
  seed?: Seed | 'empty' | undefined
  /** The control token. @default none */
  token?: string | undefined
  /** Allows deliveries to loopback and private networks. */
  allowPrivate: boolean
  /** @default hex */
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
  let url = ''
  const sandboxes = sandbox && open(sandbox, contract, () => url, log)
  const own = sandboxes
    ? await ownRoutes(sandboxes, { host, token: sandbox.token ?? null, baseUrl: () => url })
    : []
  const handler = createApp(contract, sandboxes, [healthRoute(sandboxes), ...own], log)
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

function open(
  options: SandboxOptions,
  contract: Contract,
  baseUrl: () => string,
  log: Log,
): Sandboxes {
  const { file, isDurable = false, seed, allowPrivate, encoding = 'hex' } = options
  const { timeScale, retention, now, attemptTimeout } = options
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
    seed: seed === 'empty' ? EMPTY : (seed ?? seedOf(contract)),
    baseUrl,
    sender: {
      allowPrivate,
      encoding,
      userAgent: 'support-chat-mock',
      ...(attemptTimeout !== undefined && { timeout: attemptTimeout }),
    },
    timeScale,
    retention,
    log,
    now,
  })
}

async function ownRoutes(sandboxes: Sandboxes, options: GuardOptions & { baseUrl: () => string }) {
  return [
    ...controlRoutes(await readOperations(CONTROL), sandboxes, options),
    ...dashboardRoutes(sandboxes, options),
  ]
}

async function load(file: string | undefined): Promise<Contract> {
  // The shipped contract was checked when the package was built.
  if (file === undefined) {
    const [text, operations] = await Promise.all([
      readFile(CONTRACT, 'utf8'),
      readOperations(OPERATIONS),
    ])
    return { text, operations }
  }
  const { loadCheckedContract } = await import('./contract/check.ts')
  return loadCheckedContract(file)
}

/** The host in the form of a URL. */
function authority(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
