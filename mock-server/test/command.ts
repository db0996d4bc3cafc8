/** The command as users run it: the built program, its output and its exit codes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** How long to wait for the output of a command, in milliseconds. Far more than a busy machine needs. */
const PATIENCE = 60_000
const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))

export interface Run {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  exit: Promise<number | null>
  /** Waits until the standard output contains a text that many times. */
  prints(text: string, times?: number): Promise<void>
  /** Stops it with SIGTERM. @returns its exit code */
  stop(): Promise<number | null>
}

/** Runs commands in a new folder. */
export class Commands {
  readonly folder = mkdtempSync(join(tmpdir(), 'commands-'))
  readonly #running = new Set<ChildProcess>()

  start(args: readonly string[], env: Record<string, string> = {}, node = process.execPath): Run {
    const child = spawn(node, [BIN, ...args], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    })
    this.#running.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const exit = new Promise<number | null>((resolve) => {
      child.on('close', (code) => {
        this.#running.delete(child)
        resolve(code)
      })
    })
    const prints = (text: string, times = 1) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          reject(new Error(`it did not print ${text} ${times} times, but: ${stdout}${stderr}`))
        }, PATIENCE)
        const check = () => {
          if (stdout.split(text).length <= times) return
          clearTimeout(late)
          resolve()
        }
        child.stdout.on('data', check)
        child.on('close', () => {
          clearTimeout(late)
          reject(new Error(`it ended: ${stderr}`))
        })
        check()
      })
    const stop = () => {
      child.kill('SIGTERM')
      return exit
    }
    return { child, stdout: () => stdout, stderr: () => stderr, exit, prints, stop }
  }

  /** Starts a mock server and returns its URL. */
  async serve(args: readonly string[] = [], env: Record<string, string> = {}) {
    const port = args.includes('--port') ? [] : ['--port', '0']
    const run = this.start(['serve', ...port, ...args], env)
    await run.prints('Stop with Ctrl+C')
    return { ...run, url: /^Listening on (\S+)\n/.exec(run.stdout())?.[1] ?? '' }
  }

  /** Runs a command and waits for its end. */
  async run(args: readonly string[], env: Record<string, string> = {}) {
    const { exit, stdout, stderr } = this.start(args, env)
    return { code: await exit, stdout: stdout(), stderr: stderr() }
  }

  /** Runs a command that must succeed. @returns what it printed, as JSON */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  async json(args: readonly string[], env: Record<string, string> = {}): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  close(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Waits until no attempt of a mock server runs and no delivery is due. */
export async function settled(url: string): Promise<void> {
  await control(url, 'clock', { advance: 'PT0S' })
}

/** Calls the control API of a mock server. */
export async function control(url: string, path: string, body?: object): Promise<Response> {
  return fetch(`${url}/_mock/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
}
