import { readFile } from 'node:fs/promises'
import { CONTRACT, PREPARED } from './assets.ts'
import { type Contract, readPrepared } from './contract/load.ts'
import { listen } from './door/listener.ts'
import type { Handler } from './door/message.ts'
import { follow, type Note, noteInto, type States } from './files/follow.ts'
import type { Sandboxes } from './sandbox/sandboxes.ts'
import { type Service, type ServiceOptions, serviceOf } from './service.ts'

export type { SandboxOptions } from './service.ts'

export interface ServerOptions extends ServiceOptions {
  /** 0 for a free one. */
  port: number
  /** The path of an OpenAPI document; undefined for the contract of this package. */
  contract: string | undefined
  /** Follows edits of that document and of the files that it refers to. @default none are followed */
  watch?: Watch | undefined
}

/** What to do after an edit of the contract. */
export interface Watch {
  /** The edited contract is in service. */
  onReload: (service: Service) => void
  /** The contract before the edit stays in service. */
  onFailure: (error: unknown) => void
}

export interface Server {
  /** The base URL, without a version or a trailing slash. */
  url: string
  handler: Handler
  /** The contract that is served first. */
  contract: Contract
  /** Under that contract; null if nothing is stored. */
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
  try {
    return await started(options)
  } catch (error) {
    options.recording?.close()
    throw error
  }
}

async function started(options: ServerOptions): Promise<Server> {
  const { port, host, contract: file, watch } = options
  const states: States = new Map()
  const contract = await load(file, noteInto(states))
  let url = ''
  const setting = { isShipped: file === undefined, options, baseUrl: () => url }
  const first = await serviceOf({ ...setting, contract })
  let current = first
  const handler: Handler = (request) => current.handler(request)
  const { sandboxes } = first
  try {
    const listener = await listen(handler, port, host)
    url = `http://${authority(host)}:${listener.port}`
    await sandboxes?.start()
    const stopping = new AbortController()
    if (watch) void followEdits(watch, stopping.signal)
    const close = async () => {
      stopping.abort()
      await Promise.all([sandboxes?.listeners.stop(), listener.close()])
      await sandboxes?.close()
      options.recording?.close()
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

  function followEdits({ onReload, onFailure }: Watch, signal: AbortSignal): Promise<void> {
    const reload = async (note: Note) => {
      const contract = await load(file, note)
      const next = await serviceOf({ ...setting, contract, before: current })
      if (signal.aborted) return
      next.sandboxes?.takeOver()
      current = next
      onReload(next)
    }
    return follow({ states, load: reload, onFailure, signal })
  }
}

async function load(file: string | undefined, note: Note): Promise<Contract> {
  // The shipped contract was checked when the package was built.
  if (file === undefined) return readPrepared(PREPARED, await readFile(CONTRACT, 'utf8'))
  const { loadCheckedContract } = await import('./contract/check.ts')
  return loadCheckedContract(file, note)
}

/** The host in the form of a URL. */
function authority(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
