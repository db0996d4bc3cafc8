// The servers that mock.ts compares: how each is started, asked and loaded.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import manifest from '../mock-server/package.json' with { type: 'json' }

const here = import.meta.dirname
const contract = join(here, '../openapi.yaml')
const ours = join(here, '../mock-server', manifest.bin['support-chat-mock'])
const prism = join(here, 'node_modules/@stoplight/prism-cli/dist/index.js')
const autocannon = join(here, 'node_modules/autocannon/autocannon.js')

const loopback = '127.0.0.1'
const commands = {
  sandbox: (port: string) => [ours, 'serve', '--memory', '--port', port],
  stateless: (port: string) => [ours, 'serve', '--stateless', '--port', port],
  prism: (port: string) => [prism, 'mock', '-v', 'error', '-h', loopback, '-p', port, contract],
}

export type ServerName = keyof typeof commands

/** One request that autocannon repeats. */
export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

export const calls = {
  list: { method: 'GET', path: '/v1/conversations' },
  // Not the one that is posted to, whose thread grows.
  get: { method: 'GET', path: '/v1/conversations/conv_01J2Z7Q4KX' },
  POST: {
    method: 'POST',
    path: '/v1/conversations/conv_01J2Z8M3VN/messages',
    body: '{"text":"The carrier left it with your neighbour at number 12."}',
  },
} satisfies Record<string, Call>

const authorization = 'Bearer sk_test_bench'

/** What a process has used since it started: microseconds of processor time, bytes of memory now. */
export interface Usage {
  cpu: number
  rss: number
}

/** What this page reads of autocannon's result. */
interface LoadResult {
  '2xx': number
  non2xx: number
  errors: number
  timeouts: number
  /** In seconds. */
  duration: number
}

export class Server {
  /** Milliseconds from starting the process to its first 200. */
  readonly firstAnswer: number
  readonly #child: ChildProcess
  readonly #port: number

  private constructor(child: ChildProcess, port: number, firstAnswer: number) {
    this.#child = child
    this.#port = port
    this.firstAnswer = firstAnswer
  }

  /** Resolves with the first 200; rejects when the server ends, or answers none within 20 seconds. */
  static async start(name: ServerName): Promise<Server> {
    const port = await freePort()
    const start = performance.now()
    const probe = join(here, 'probe.mjs')
    const child = spawn(process.execPath, ['--import', probe, ...commands[name](`${port}`)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    while ((await statusOf(port)) !== 200) {
      if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`)
      if (performance.now() - start > 20_000) {
        child.kill('SIGKILL')
        throw new Error(`${name} does not answer`)
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

  /**
   * Repeats a call, from a process of its own, for so many seconds or so many times.
   * Rejects unless every answer is a 2xx.
   *
   * @returns requests a second, and microseconds of the server's processor time per request
   */
  async load(
    call: Call,
    connections: number,
    extent: { seconds: number } | { requests: number },
  ): Promise<{ rate: number; cpu: number }> {
    const args = ['--json', '-c', `${connections}`, '-m', call.method]
    args.push('-H', `authorization=${authorization}`)
    if (call.body) args.push('-H', 'content-type=application/json', '-b', call.body)
    if ('seconds' in extent) args.push('-d', `${extent.seconds}`)
    else args.push('-a', `${extent.requests}`)
    args.push(`http://${loopback}:${this.#port}${call.path}`)

    const before = await this.usage()
    const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...args])
    const after = await this.usage()
    const result: LoadResult = JSON.parse(stdout)
    const answered = result['2xx']
    if (answered === 0 || result.non2xx + result.errors + result.timeouts > 0) {
      throw new Error(`${call.method} ${call.path} was not always answered with a 2xx`)
    }
    return { rate: answered / result.duration, cpu: (after.cpu - before.cpu) / answered }
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
    request.on('timeout', () => request.destroy(new Error('no answer in time')))
    request.on('error', () => resolve(0))
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, loopback)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
