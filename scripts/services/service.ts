import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server of a test, on a free port of 127.0.0.1. */
export interface Service {
  /** What a client connects to. */
  url: string
  stop(): Promise<void>
}

/** The account of a server. */
export interface Account {
  uid?: number
  gid?: number
}

/** How a server is run. */
interface Options extends Account {
  /** Ends it at once, without anything left behind. */
  stopSignal: NodeJS.Signals
}

const START_MS = 60_000

/** Starts a server, and waits until it is ready. */
export async function start(
  command: string,
  args: readonly string[],
  isReady: () => boolean,
  { stopSignal, ...account }: Options,
): Promise<Service['stop']> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...account })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      said = `${said}${text}`.slice(-4000)
    })
  }
  const end = performance.now() + START_MS
  while (!isReady()) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop(child, stopSignal)
      throw new Error(`${command} did not start:\n${said}`)
    }
    await sleep(50)
  }
  return () => stop(child, stopSignal)
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], account: Account = {}): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...account })
  if (status !== 0) throw new Error(`${command} failed:\n${error?.message ?? stderr}`)
}
