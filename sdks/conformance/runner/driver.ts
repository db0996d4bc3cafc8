import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Call } from './case.ts'
import { type Fields, readJson, type Value, writeJson } from './json.ts'
import type { Command } from './languages.ts'

/** An order for a driver; see "Drivers" in README.md. */
export interface Order {
  client: Fields
  environment: Readonly<Record<string, string>>
  clock: { now: string; chance: number }
  call: Call
  /** A GET on it ends once the server has sent everything it has to send so far. */
  settled_url: string
  /** A GET on it ends when the call is to be cancelled. */
  cancel_url: string
  times: number
}

/** The outcome of an order. */
export interface Report {
  waits: number[]
  results: Value[]
  /** Everything that the client logged. */
  logs: Array<{ level: string; text: string }>
  /** What the hook for mismatches received. */
  mismatches: Value[]
  /** What the middleware of the case was told. */
  told: Value[]
  /** Everything that the client logged, and the printed form of client, pages and errors. */
  shown: string
}

export interface Driver {
  carryOut(order: Order): Promise<Report>
  stop(): void
}

/** Milliseconds after which a driver counts as hung. */
const PATIENCE = 20_000

/** Starts a driver. It reads one order after another, a line of JSON each. */
export function startDriver({ program, args, env }: Command): Driver {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, { env: { PATH, HOME, ...env }, stdio: 'pipe' })
  const stderr = text(child.stderr)
  const lines = linesOf(child.stdout)
  child.stdin.on('error', () => {})

  async function carryOut(order: Order): Promise<Report> {
    child.stdin.write(`${writeJson(order)}\n`)
    const hung = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    const { value: line, done } = await lines.next()
    clearTimeout(hung)
    if (!done) return readJson(line) as unknown as Report
    throw new Error(`The driver ended or hung:\n${await stderr}`)
  }

  return { carryOut, stop: () => child.kill('SIGKILL') }
}

/** The lines of a stream; readline would end them at U+2028 too. */
async function* linesOf(stream: Readable): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
