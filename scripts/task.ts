/**
 * Runs a task of the repository through turbo, with the versions of the toolchains in its hash, so
 * that a result of one release is never served from the cache to another.
 */
import { spawnSync } from 'node:child_process'
import { MissingProgram } from './toolchain/find.ts'

interface Task {
  args: string[]
  /** Whether it runs programs of the other languages. */
  polyglot: boolean
}

const tasks: Record<string, Task> = {
  build: { args: ['build'], polyglot: false },
  test: { args: ['lint', 'test', 'whole'], polyglot: true },
  matrix: { args: ['matrix'], polyglot: true },
  soak: { args: ['soak'], polyglot: true },
  start: {
    args: ['bundle', '--filter=@support-chat/mock-server', '--output-logs=errors-only'],
    polyglot: false,
  },
}

const [name = '', ...rest] = process.argv.slice(2)
const task = tasks[name]
if (!task) stop(2, `Usage: node scripts/task.ts ${Object.keys(tasks).join('|')}`)

const toTurbo = name === 'start' ? [] : rest
const environment = { ...nodeVersion(), ...(task.polyglot ? await otherVersions() : {}) }
run('turbo', ['run', ...task.args, '--concurrency=2', ...toTurbo])
if (name === 'start') run(process.execPath, ['mock-server/bin.js', 'serve', ...rest])

function run(command: string, args: string[]): void {
  const result = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'turbo',
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      ...environment,
    },
  })
  if (result.error) throw result.error
  if (result.status !== 0) process.exit(result.status ?? 1)
}

function nodeVersion(): Record<string, string> {
  return { TOOLCHAIN_NODE: `${process.version} ${process.platform}-${process.arch}` }
}

/** Imports lazily: the list of languages would slow down every start. */
async function otherVersions(): Promise<Record<string, string>> {
  try {
    const { install } = await import('./toolchain/install.ts')
    const { versions } = await import('./toolchain/languages.ts')
    install()
    return versions()
  } catch (error) {
    if (error instanceof MissingProgram) stop(1, error.message)
    throw error
  }
}

function stop(status: number, message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(status)
}
