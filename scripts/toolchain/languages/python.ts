/**
 * The interpreters at hand, the oldest and the newest, and for each the programs that check the SDK,
 * from an environment that holds what its lock file says.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { python } from '../../emit/python/language.ts'
import {
  atLeast,
  candidates,
  compareVersions,
  INSTALLED,
  MissingProgram,
  once,
  one,
  output,
  pyenvFolders,
} from '../find.ts'
import { missingFrom, run } from '../provide.ts'

const SDK = fileURLToPath(new URL('../../../sdks/python', import.meta.url))
const LOCK = join(SDK, 'requirements-dev.txt')
const UV_LOCK = fileURLToPath(new URL('../../../toolchains/uv.txt', import.meta.url))
const BIN = process.platform === 'win32' ? 'Scripts' : 'bin'

const CURE = python.toolchain.cure
const NO_UV = 'Install Python 3.10 or newer with pip, or uv, and have it on the PATH.'

const foundUv = once(() =>
  one('0.5', candidates(['uv'], [join(INSTALLED, 'uv/bin')]), ['--version'], NO_UV),
)
const foundPythons = once(() => {
  const minors = [10, 11, 12, 13, 14, 15].map((minor) => `python3.${minor}`)
  const paths = candidates(['python3', ...minors], pyenvFolders())
  const all = atLeast('3.10', paths, ['--version'])
  if (all.length === 0) throw new MissingProgram(CURE)
  return all.sort((left, right) => compareVersions(left.version, right.version))
})

/** The interpreters to test with, both the same where there is only one. */
export const pythons = {
  get oldest() {
    return foundPythons()[0]?.path ?? ''
  },
  get newest() {
    return foundPythons().at(-1)?.path ?? ''
  },
}

/** Which interpreter runs a program. */
export type Age = keyof typeof pythons

/** Absolute paths. */
export const programs = {
  get uv() {
    return foundUv().path
  },
  get python() {
    return pythons.newest
  },
  get 'python-oldest'() {
    return pythons.oldest
  },
  get mypy() {
    return tool('mypy')
  },
  get pytest() {
    return tool('pytest')
  },
  get 'pytest-oldest'() {
    return tool('pytest', 'oldest')
  },
  /** With the newest releases of the HTTP client, whose private parts the SDK uses. */
  get 'pytest-upstream'() {
    return join(makeUpstreamEnvironment(), BIN, 'pytest')
  },
  get ruff() {
    return tool('ruff')
  },
}

const environments = new Map<Age, string>()

/** A program of an environment, which is made where it is missing and mended where it is stale. */
export function tool(name: string, age: Age = 'newest'): string {
  const folder = environments.get(age) ?? makeEnvironment(pythons[age])
  environments.set(age, folder)
  return join(folder, BIN, name)
}

export function version(): string {
  const all = foundPythons()
  return [all[0]?.version, all.at(-1)?.version].join(' ')
}

/** Installs uv and what it provides; Python itself cannot be installed from here. */
export function provide(): void {
  pythons.oldest
  provideUv()
  for (const age of ['oldest', 'newest'] as const) tool('python', age)
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

function makeUpstreamEnvironment(): string {
  const folder = makeEnvironment(pythons.newest, 'upstream')
  const interpreter = join(folder, BIN, 'python')
  uv(['pip', 'install', '--upgrade', '--python', interpreter, 'httpx2', 'httpcore2'])
  return folder
}

function makeEnvironment(interpreter: string, name = versionOf(interpreter)): string {
  const folder = join(SDK, '.venv', name)
  if (!existsSync(folder)) uv(['venv', '--allow-existing', '--python', interpreter, folder])
  uv(['pip', 'sync', '--require-hashes', '--python', join(folder, BIN, 'python'), LOCK])
  return folder
}

function versionOf(interpreter: string): string {
  return output(interpreter, ['--version'])?.replace('Python ', '') ?? ''
}

function uv(args: readonly string[]): void {
  const { status, stderr } = spawnSync(programs.uv, ['--quiet', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new MissingProgram(`uv ${args.join(' ')} failed:\n${stderr}`)
}
