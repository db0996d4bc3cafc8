/** The terminals of a newcomer: one in which commands end, and others in which programs stay. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds after which something counts as hung. */
const PATIENCE = 300_000

/** What a page says was not so. */
export class Stuck extends Error {
  override name = 'Stuck'
}

export class Terminals {
  readonly #cwd: string
  #env: Record<string, string>
  readonly #open: { child: ChildProcess; lines(): string }[] = []

  constructor(cwd: string, env: Record<string, string>) {
    this.#cwd = cwd
    this.#env = env
  }

  /** Runs lines to their end, keeps the variables that they set, and returns what they printed. */
  async type(script: string): Promise<string> {
    const command = ['sh', '-ec', `${script}\nenv -0 >&3`]
    const child = this.#spawn(command, ['ignore', 'pipe', 'pipe', 'pipe'])
    const printed = collect(child, 1, 2)
    const variables = collect(child, 3)
    const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    const [status] = await once(child, 'close')
    clearTimeout(late)
    if (status !== 0) throw new Stuck(`${script.trim()}\nended with ${status}:\n${printed()}`)
    const pairs = variables().split('\0').filter(Boolean)
    this.#env = Object.fromEntries(pairs.map((pair) => splitAt(pair, pair.indexOf('='))))
    return printed()
  }

  /** Starts what stays. */
  open(command: string): void {
    const child = this.#spawn(['sh', '-c', `exec ${command}`], ['ignore', 'pipe', 'pipe'], true)
    this.#open.push({ child, lines: collect(child, 1, 2) })
  }

  /** What all terminals of programs that stay show. */
  shown(): string[] {
    return this.#open.map(({ lines }) => lines())
  }

  /** Waits until one of these terminals shows something. */
  see(expected: RegExp): Promise<void> {
    const isShown = async () => this.shown().some((lines) => expected.test(lines))
    return this.#until(isShown, `No terminal showed ${expected}`)
  }

  /** Waits until something listens on a port of this machine. */
  listening(port: number): Promise<void> {
    return this.#until(() => connects(port), `Nothing listened on port ${port}`)
  }

  /** Ends what stays. */
  async close(): Promise<void> {
    for (const { child } of this.#open) {
      if (child.exitCode !== null || child.pid === undefined) continue
      const ended = once(child, 'close')
      process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  }

  async #until(holds: () => Promise<boolean>, complaint: string): Promise<void> {
    const end = Date.now() + PATIENCE
    while (!(await holds())) {
      const dead = this.#open.find(({ child }) => child.exitCode !== null)
      if (dead || Date.now() > end) {
        throw new Stuck(`${complaint}:\n${(dead ? [dead.lines()] : this.shown()).join('\n---\n')}`)
      }
      await wait(20)
    }
  }

  #spawn(
    [program = '', ...args]: readonly string[],
    stdio: ('ignore' | 'pipe')[],
    detached = false,
  ): ChildProcess {
    return spawn(program, args, { cwd: this.#cwd, env: this.#env, stdio, detached })
  }
}

/** Reads pipes of a child; the result says what came so far. */
function collect(child: ChildProcess, ...pipes: number[]): () => string {
  let all = ''
  for (const pipe of pipes) {
    child.stdio[pipe]?.on('data', (chunk: Buffer) => {
      all += chunk
    })
  }
  return () => all
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}
