/**
 * Brings what `npm test` needs beside Node. uv and the tools of Python are installed here, Ruby and
 * Chromium from Debian's packages, where they are missing; Go and Python can only be asked for.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tool } from './environment.ts'
import { answer } from './find.ts'
import {
  CHROMIUM_PACKAGES,
  INSTALLED,
  MissingProgram,
  NO_RUBY,
  programs,
  pythons,
  RUBY_PACKAGES,
} from './programs.ts'

const UV_LOCK = fileURLToPath(new URL('../../toolchains/uv.txt', import.meta.url))

/** @throws MissingProgram with all that is missing and could not be installed. */
export function install(): void {
  const missing = [
    () => pythons.oldest,
    () => programs.go,
    provideUv,
    provideTools,
    () => provideDebian(RUBY_PACKAGES, checkRuby),
    () => provideDebian(CHROMIUM_PACKAGES, () => programs.chromium),
  ]
    .map(missingFrom)
    .filter((cure) => cure !== null)
  if (missing.length > 0) throw new MissingProgram([...new Set(missing)].join('\n'))
}

function provideUv(): void {
  if (missingFrom(() => programs.uv) === null) return
  process.stderr.write('Installing uv\n')
  const target = join(INSTALLED, 'uv')
  rmSync(target, { recursive: true, force: true })
  const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check']
  run(pythons.newest, [...pip, 'install', '--require-hashes', '--target', target, '-r', UV_LOCK])
  programs.uv
}

function provideTools(): void {
  for (const age of ['oldest', 'newest'] as const) tool('python', age)
}

/** Installs Debian's packages where the check says that something is missing. */
function provideDebian(packages: readonly string[], check: () => unknown): void {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (isRoot && missingFrom(check) !== null) {
    process.stderr.write(`Installing ${packages.join(' ')} with apt-get\n`)
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])
  }
  check()
}

function checkRuby(): void {
  const gems = ['minitest', 'webmock', 'rack', 'sinatra/base', 'puma'].map(
    (gem) => `require ${JSON.stringify(gem)}`,
  )
  const loaded = answer(programs.ruby, ['-e', gems.join(';')])
  if (loaded === null) throw new MissingProgram(NO_RUBY)
  for (const name of ['gem', 'rake', 'rubocop', 'rbs'] as const) programs[name]
}

/** What a step says is missing. */
function missingFrom(step: () => unknown): string | null {
  try {
    step()
    return null
  } catch (error) {
    if (error instanceof MissingProgram) return error.message
    throw error
  }
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status === 0) return
  const told = error?.message ?? `${stdout}${stderr}`
  throw new MissingProgram(`${command} ${args.join(' ')} failed:\n${told}`)
}
