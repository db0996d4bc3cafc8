import { spawnSync } from 'node:child_process'
import { MissingProgram } from './find.ts'

/** Installs Debian's packages where the check says that something is missing. */
export function provideDebian(packages: readonly string[], check: () => unknown): void {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (isRoot && missingFrom(check) !== null) {
    process.stderr.write(`Installing ${packages.join(' ')} with apt-get\n`)
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])
  }
  check()
}

/** The message of a step that finds a missing program; null if it finds none. */
export function missingFrom(step: () => unknown): string | null {
  try {
    step()
    return null
  } catch (error) {
    if (error instanceof MissingProgram) return error.message
    throw error
  }
}

export function run(command: string, args: readonly string[], cwd?: string): void {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    cwd,
    shell: process.platform === 'win32' && command === 'npm',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status === 0) return
  const output = error?.message ?? `${stdout}${stderr}`
  throw new MissingProgram(`${command} ${args.join(' ')} failed:\n${output}`)
}
