/** Plays a scenario: starts the mock server as its users do, and makes the call. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Difference, differences } from './compare.ts'
import { readAnswer, type Scenario } from './scenario.ts'

const BIN = fileURLToPath(new URL('../bin.js', import.meta.url))

/** What our command calls the options of Prism's. */
const OPTIONS: Record<string, string[]> = {
  '-d': ['--dynamic'],
  '--dynamic': ['--dynamic'],
  '--errors': ['--errors'],
  // Never are, unless the document says so.
  '--json-schema-faker-fillProperties=false': [],
}

/** The differences that a scenario shows; `start` if the server does not start. */
export async function play(scenario: Scenario): Promise<Difference[]> {
  const folder = mkdtempSync(join(tmpdir(), 'harness-'))
  const file = join(folder, 'document.yml')
  writeFileSync(file, scenario.document)
  const options = scenario.options.flatMap((option) => OPTIONS[option] ?? option)
  const args = ['--contract', file, '--stateless', '--query-preferences', '--port', '0']
  const server = spawn(process.execPath, [BIN, 'serve', ...args, ...options], { cwd: folder })
  try {
    const { host } = new URL(await addressOf(server))
    const call = scenario.call.map((word) => word.replace(/(?:localhost|127\.0\.0\.1):4010/, host))
    return differences(scenario, readAnswer(await curl(call)))
  } catch (error) {
    return [{ part: 'start', expected: '', found: (error as Error).message.trim() }]
  } finally {
    await stop(server)
    rmSync(folder, { recursive: true })
  }
}

/** @throws what the server says instead of listening */
async function addressOf(server: ChildProcess): Promise<string> {
  let errors = ''
  server.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(server, 'close').then(() => {
    throw new Error(errors)
  })
  ended.catch(() => {})
  const lines = createInterface({ input: server.stdout ?? process.stdin })
  const [line] = await Promise.race([once(lines, 'line'), ended])
  return /\S+$/.exec(line)?.[0] ?? ''
}

function curl(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('curl', ['--silent', '--globoff', ...args], (error, stdout) => {
      if (error && stdout === '') reject(error)
      else resolve(stdout)
    })
  })
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const closed = once(server, 'close')
  server.kill('SIGKILL')
  await closed
}
