// A server that is measured: how it is started, asked and loaded.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import manifest from '../mock-server/package.json' with { type: 'json' }

const here = import.meta.dirname
const autocannon = join(here, 'node_modules/autocannon/autocannon.js')
export const loopback = '127.0.0.1'

/** The arguments that make Node a server at a port. */
export type Command = (port: string) => string[]

/** Our own server. */
export const serve =
  (...options: string[]): Command =>
  (port) => [
    join(here, '../mock-server', manifest.bin['support-chat-mock']),
    'serve',
    ...options,
    '--port',
    port,
  ]

/** One request. */
export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

export const calls = {
  list: { method: 'GET', path: '/v1/conversations' },
  // The one that every server returns alike, and not the one that is posted to, whose thread grows.
  get: { method: 'GET', path: '/v1/conversations/conv_01J2Z8M3VN' },
  POST: {
    method: 'POST',
    path: '/v1/conversations/conv_01J2Z7Q4KX/messages',
    body: '{"text":"The carrier left it with your neighbour at number 12."}',
  },
} satisfies Record<string, Call>

export const apiKey = 'sk_test_bench'
const authorization = `Bearer ${apiKey}`

/** What a process has used since it started: microseconds of processor time, bytes of memory and of its heap now. */
export interface Usage {
  cpu: number
  rss: number
  heap: number
}

/** What this page reads of autocannon's result. */
interface LoadResult {
  '2xx': number
  non2xx: number
  errors: number
  timeouts: number
  /** In seconds. */
  duration: number
  /** In milliseconds, whole ones. */
  latency: { p99: number }
}

/** What a load shows. */
export interface Load {
  /** Requests a second. */
  rate: number
  /** Milliseconds within which 99 of 100 requests finish. */
  p99: number
  /** Microseconds of the server's processor time per request. */
  cpu: number
}

export class Server {
  /** Milliseconds from starting the process to its first 200. */
  readonly firstResponse: number
  readonly #origin: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number, firstResponse: number) {
    this.#child = child
    this.#origin = `http://${loopback}:${port}`
    this.firstResponse = firstResponse
  }

  /** Resolves with the first 200; rejects when the server ends, or returns none within 20 seconds. */
  static async start(command: Command): Promise<Server> {
    const port = await freePort()
    const start = performance.now()
    const probe = join(here, 'probe.mjs')
    const child = spawn(process.execPath, ['--import', probe, ...command(`${port}`)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    while ((await statusOf(port)) !== 200) {
      if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
      if (performance.now() - start > 20_000) {
        child.kill('SIGKILL')
        throw new Error('the server does not respond')
      }
      await sleep(2)
    }
    return new Server(child, port, performance.now() - start)
  }

  async usage(): Promise<Usage> {
    this.#child.send('usage')
    const [usage] = (await once(this.#child, 'message')) as [Usage]
    return usage
  }

  /** @returns the body of a response, which must be a 2xx */
  async ask({ method, path, body }: Call): Promise<string> {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(this.#origin + path, { method, headers, body: body ?? null })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
    return text
  }

  /**
   * Repeats a call, from a process of its own, for so many seconds or so many times.
   * Rejects unless every response is a 2xx.
   */
  async load(
    call: Call,
    connections: number,
    extent: { seconds: number } | { requests: number },
  ): Promise<Load> {
    const args = ['--json', '-c', `${connections}`, '-m', call.method]
    args.push('-H', `authorization=${authorization}`)
    if (call.body) args.push('-H', 'content-type=application/json', '-b', call.body)
    if ('seconds' in extent) args.push('-d', `${extent.seconds}`)
    else args.push('-a', `${extent.requests}`)
    args.push(this.#origin + call.path)

    const before = await this.usage()
    const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...args])
    const after = await this.usage()
    const result: LoadResult = JSON.parse(stdout)
    const succeeded = result['2xx']
    if (succeeded === 0 || result.non2xx + result.errors + result.timeouts > 0) {
      throw new Error(`${call.method} ${call.path} did not always return a 2xx`)
    }
    return {
      rate: succeeded / result.duration,
      p99: result.latency.p99,
      cpu: (after.cpu - before.cpu) / succeeded,
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}

/** The status of a list request, or 0 while nobody listens. */
function statusOf(port: number): Promise<number> {
  return new Promise((resolve) => {
    const { path } = calls.list
    const options = { host: loopback, port, path, agent: false, headers: { authorization } }
    const request = get({ ...options, timeout: 5000 }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('timeout', () => request.destroy(new Error('no response in time')))
    request.on('error', () => resolve(0))
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
