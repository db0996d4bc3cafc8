/** A server with a sandbox whose clock stands still and whose every response is checked. */
import { fetchHandler } from '../src/door/fetch.ts'
import type { SandboxOptions, Server } from '../src/server.ts'
import { CONTRACT, CONTROL, type Oracle, oracleOf } from './oracle-of.ts'
import { startReplicated } from './replicated.ts'
import { place } from './stores.ts'
import { SILENT } from './support.ts'

/** The sandbox's time until its clock is advanced. */
export const NOW = Date.parse('2026-11-21T12:00:00Z')
export const KEY = 'sk_test_demo'

/** Conversations of the contract's examples, in every sandbox that is not empty. */
export const SEEDED = {
  handedOff: 'conv_01J2Z8M3VN',
  open: 'conv_01J2Z7Q4KX',
  resolved: 'conv_01J2YXC9TB',
}

const oracles = Promise.all([oracleOf(CONTRACT), oracleOf(CONTROL)])

export interface TestResponse {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  body: any
}

export interface CallOptions {
  body?: unknown
  key?: string
  headers?: Record<string, string>
}

export class Sandboxed {
  readonly server: Server
  readonly contract: Oracle
  readonly #control: Oracle
  readonly #fetch: typeof fetch

  constructor(server: Server, [contract, control]: [Oracle, Oracle]) {
    this.server = server
    this.contract = contract
    this.#control = control
    this.#fetch = fetchHandler(server.handler, server.url)
  }

  get sandboxes() {
    const { sandboxes } = this.server
    if (!sandboxes) throw new Error('there is no sandbox')
    return sandboxes
  }

  /** Sends a request and checks the response against its document. */
  async call(method: string, target: string, options: CallOptions = {}): Promise<TestResponse> {
    const { body: sent, key = KEY, headers } = options
    const response = await this.#fetch(target, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    })
    const text = await response.text()
    const received = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : JSON.parse(text),
    }
    const [path = ''] = target.split('?')
    const oracle = path.startsWith('/_mock/') ? this.#control : this.contract
    oracle.response({ method, path, ...received })
    return received
  }

  get(path: string, options: CallOptions = {}): Promise<TestResponse> {
    return this.call('GET', path, options)
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<TestResponse> {
    return this.call('POST', path, { ...options, body })
  }

  /** Creates a conversation as a visitor. */
  async create(text?: string, options: CallOptions = {}): Promise<string> {
    const { body } = await this.post('/_mock/conversations', { text }, options)
    return body.id
  }

  /** The events, oldest first. */
  async events(options: CallOptions = {}) {
    const { body } = await this.get('/_mock/events', options)
    for (const event of body.data) this.contract.event(event)
    return body.data.reverse()
  }

  close(): Promise<void> {
    return this.server.close()
  }
}

export async function sandboxed(options: Partial<SandboxOptions> = {}): Promise<Sandboxed> {
  const server = await startReplicated({
    port: 0,
    host: '127.0.0.1',
    contract: undefined,
    isStrict: true,
    sandbox: { store: place(), allowPrivate: true, now: () => NOW, ...options },
    log: SILENT,
  })
  return new Sandboxed(server, await oracles)
}
