import { readFile } from 'node:fs/promises'
import { CONTRACT, PREPARED } from './assets.ts'
import { type Contract, readPrepared } from './contract/load.ts'
import { listen, type Tls } from './door/listener.ts'
import type { Handler } from './door/message.ts'
import { follow, type Note, noteInto, type States } from './files/follow.ts'
import type { Requests } from './requests/requests.ts'
import { namesOf } from './revisions/names.ts'
import type { Sandboxes } from './sandbox/sandboxes.ts'
import { type Service, type ServiceOptions, type Services, servicesOf } from './service.ts'

export type { SandboxOptions } from './open-sandboxes.ts'

export interface ServerOptions extends ServiceOptions {
  /** 0 for a free one. */
  port: number
  /** @default plain HTTP */
  tls?: Tls | undefined
  /**
   * The path of an OpenAPI document, or of several, the oldest first; undefined for the contract of this
   * package.
   */
  contract: string | readonly string[] | undefined
  /** Follows edits of these documents and of the files that it refers to. @default none are followed */
  watch?: Watch | undefined
}

/** What to do after an edit of the contract. */
export interface Watch {
  /** The edited contract is in service, with the others. */
  onReload: (services: readonly Service[]) => void
  /** The contract before the edit stays in service. */
  onFailure: (error: unknown) => void
}

export interface Server {
  /** The base URL, without a version or a trailing slash. */
  url: string
  handler: Handler
  /** The contract that is served first, and by default. */
  contract: Contract
  /** Under that contract; null if nothing is stored. */
  sandboxes: Sandboxes | null
  /** The latest calls of the API. */
  requests: Requests
  /** What serves each contract now. */
  services: () => readonly Service[]
  /** Says that it is not ready, so that no new requests are sent here. It still serves those that come. */
  drain(): void
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
  try {
    return await started(options)
  } catch (error) {
    options.recording?.close()
    throw error
  }
}

async function started(options: ServerOptions): Promise<Server> {
  const { port, host, watch } = options
  const files = options.contract === undefined ? [undefined] : [options.contract].flat()
  const states: States = new Map()
  const loaded = await loadAll(files, noteInto(states), options.isStrict)
  let opening: Promise<Services>
  let current: Services
  const handler: Handler = async (request) => (current ?? (await opening)).handler(request)
  // First, so that a port that is taken leaves nothing behind. Requests wait for the rest.
  const listener = await listen(handler, port, host, {
    onRefused: (line, response) => current.kept.log.addRefused(line, response),
    tls: options.tls,
  })
  const url = `${options.tls ? 'https' : 'http'}://${authority(host)}:${listener.port}`
  const { hosted } = options.sandbox ?? {}
  const baseUrl = () => hosted?.publicUrl ?? url
  const state = { isDraining: false }
  const setting = { isShipped: options.contract === undefined, options, baseUrl, state }
  try {
    opening = open()
    current = await opening
  } catch (error) {
    await listener.close()
    throw error
  }
  const [{ contract, sandboxes }] = current.all
  const stopping = new AbortController()
  if (watch) void followEdits(watch, stopping.signal)
  const close = async () => {
    stopping.abort()
    await Promise.all([sandboxes?.stopListening(), listener.close()])
    await sandboxes?.close()
    options.recording?.close()
    await options.tracer?.stop()
  }
  let closed: Promise<void> | undefined
  return {
    url,
    handler,
    contract,
    sandboxes,
    requests: current.kept.requests,
    services: () => current.all,
    drain: () => {
      state.isDraining = true
    },
    close: () => {
      closed ??= close()
      return closed
    },
  }

  async function open(): Promise<Services> {
    const services = await servicesOf({ ...setting, ...loaded })
    const [{ sandboxes }] = services.all
    try {
      await sandboxes?.start()
      return services
    } catch (error) {
      // That this fails too says nothing new.
      await sandboxes?.close().catch(() => {})
      throw error
    }
  }

  function followEdits({ onReload, onFailure }: Watch, signal: AbortSignal): Promise<void> {
    const reload = async (note: Note) => {
      const contracts = current.all.map(({ contract }) => contract)
      const loaded = await loadAll(files, note, options.isStrict, contracts)
      const next = await servicesOf({ ...setting, ...loaded, before: current })
      if (signal.aborted) return
      const [{ sandboxes }] = next.all
      await sandboxes?.rename(renamed(current.all, next.all))
      sandboxes?.takeOver()
      current = next
      onReload(next.all)
    }
    return follow({ states, load: reload, onFailure, signal })
  }
}

/** The contracts and their names. */
async function loadAll(
  files: ReadonlyArray<string | undefined>,
  note: Note,
  isStrict: boolean | undefined,
  before: readonly Contract[] = [],
) {
  const contracts: Contract[] = []
  for (const [index, file] of files.entries()) {
    contracts.push(await load(file, { onRead: note, isStrict }, before[index]))
  }
  const versioned = contracts.map(({ description }, index) => {
    return { version: description.version, file: files[index] ?? '' }
  })
  return { contracts, names: namesOf(versioned) }
}

/** The new names by the old ones, of those that changed. */
function renamed(before: readonly Service[], after: readonly Service[]): Map<string, string> {
  const pairs = before.map(({ name }, index) => [name, after[index]?.name ?? name] as const)
  return new Map(pairs.filter(([old, now]) => old !== now))
}

async function load(
  file: string | undefined,
  { onRead, isStrict = false }: { onRead: Note; isStrict: boolean | undefined },
  before: Contract | undefined,
): Promise<Contract> {
  // The shipped contract was checked when the package was built.
  if (file === undefined) return readPrepared(PREPARED, await readFile(CONTRACT, 'utf8'))
  const { isWholly, loadCheckedContract } = await import('./contract/check.ts')
  // An edit may be half done: it must not lose what was in service.
  const isWhole = before !== undefined && isWholly(before)
  const contract = await loadCheckedContract(file, { onRead, isStrict, isWhole })
  if (isStrict) return contract
  const { problemsInThread } = await import('./contract/background.ts')
  return { ...contract, problems: () => problemsInThread(file) }
}

/** The host in the form of a URL. */
function authority(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
