import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('fixtures/serve.ts', import.meta.url))

export interface Spawned {
  url: string
  /** Kills the process. Unlike a power failure, this keeps what the system has not written to disk yet. */
  kill: () => Promise<void>
}

/** Starts a server in a separate process and waits until it listens. @throws its output if it does not. */
export async function spawned(file: string, timeScale = 1): Promise<Spawned> {
  const child = spawn(process.execPath, [SCRIPT, file, String(timeScale)], { stdio: 'pipe' })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    throw Object.assign(new Error(errors), { exitCode: code })
  })
  const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  ended.catch(() => {})
  return { url, kill: () => kill(child) }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
