import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

export interface RunOptions {
  cwd: string
  env?: Record<string, string> | undefined
}

export interface Finished {
  status: number | null
  stdout: string
  stderr: string
}

/** Milliseconds after which a process counts as hung. */
const PATIENCE = 110_000

/** Runs a program to its end, with no more of this process's environment than it needs. */
export async function run(command: readonly string[], options: RunOptions): Promise<Finished> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
  const ended = exit(child)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

/** Runs a program that has to succeed, and returns what it printed. */
export async function output(command: readonly string[], options: RunOptions): Promise<string> {
  const { status, stdout, stderr } = await run(command, options)
  if (status === 0) return stdout
  throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

/** A server in a process of its own. */
export interface Started {
  /** What it printed first. */
  firstLine: string
  /** All that it has printed so far. */
  lines: readonly string[]
  /** Ends the server and what it has started; resolves to its exit code. */
  stop(): Promise<number | null>
}

/** Starts a server and waits for the first line that it prints. */
export async function start(command: readonly string[], options: RunOptions): Promise<Started> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Leads a process group, so that whatever it starts can be ended with it.
    detached: true,
  })
  const ended = exit(child)
  const stderr = text(child.stderr)
  const lines: string[] = []
  const printed = createInterface(child.stdout).on('line', (line) => lines.push(line))
  await Promise.race([once(printed, 'line'), once(printed, 'close')])
  const [firstLine] = lines
  if (firstLine === undefined) {
    throw new Error(
      `${command.join(' ')} ended with ${await ended} before it printed a line:\n${await stderr}`,
    )
  }
  return {
    firstLine,
    lines,
    stop() {
      signal(child, 'SIGTERM')
      return ended
    },
  }
}

function environment(extra: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = os.tmpdir() } = process.env
  return { PATH, HOME, TMPDIR, NO_COLOR: '1', ...extra }
}

function exit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name)
}
