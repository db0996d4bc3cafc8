/**
 * Runs a task of the repository through turbo, with the versions of the toolchains in its hash, so
 * that a result of one Node is never served from the cache to another.
 */
import { spawnSync } from 'node:child_process'

const tasks: Record<string, string[]> = {
  build: ['build'],
  test: ['lint', 'test'],
  soak: ['soak'],
  start: ['build', '--filter=@support-chat/mock-server', '--output-logs=errors-only'],
}

const [task = '', ...rest] = process.argv.slice(2)
const args = tasks[task]
if (!args) {
  process.stderr.write(`Usage: node scripts/task.ts ${Object.keys(tasks).join('|')}\n`)
  process.exit(2)
}

const toTurbo = task === 'start' ? [] : rest
run('turbo', ['run', ...args, '--concurrency=2', ...toTurbo])
if (task === 'start') run(process.execPath, ['mock-server/dist/bin.js', 'serve', ...rest])

function run(command: string, args: string[]): void {
  const result = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'turbo',
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      TOOLCHAINS: toolchains(),
    },
  })
  if (result.error) throw result.error
  if (result.status !== 0) process.exit(result.status ?? 1)
}

function toolchains(): string {
  return `node ${process.version} ${process.platform}-${process.arch}`
}
