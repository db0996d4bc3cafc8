/**
 * The oldest and the newest interpreter, and for each the programs that check the SDK, from an
 * environment that holds what its lock file says.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { candidates, INSTALLED, MissingProgram, once, one } from '../find.ts'
import { missingFrom, run } from '../provide.ts'
import { AGES, type Age, interpreter, provideInterpreter, releaseOf } from '../pythons.ts'

const SDK = fileURLToPath(new URL('../../../sdks/python', import.meta.url))
const LOCK = join(SDK, 'requirements-dev.txt')
const UV_LOCK = fileURLToPath(new URL('../../../toolchains/uv.txt', import.meta.url))
const PUBLISH_LOCK = fileURLToPath(new URL('../../../toolchains/publish.txt', import.meta.url))
const DEPLOY_LOCK = fileURLToPath(new URL('../../../toolchains/deploy.txt', import.meta.url))
const BIN = process.platform === 'win32' ? 'Scripts' : 'bin'

const NO_UV =
  'There is no uv. Run `node scripts/toolchain/install.ts` at the root of the repository.'

const foundUv = once(() =>
  one('0.5', candidates(['uv'], [join(INSTALLED, 'uv/bin')]), ['--version'], NO_UV),
)

/** The interpreters to test with. */
export const pythons = {
  get oldest() {
    return interpreter('oldest')
  },
  get newest() {
    return interpreter('newest')
  },
}

const foundPublishing = once(() => join(makeEnvironment('newest', 'publish', PUBLISH_LOCK), BIN))
const foundDeploying = once(() => join(makeEnvironment('newest', 'deploy', DEPLOY_LOCK), BIN))

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
  get twine() {
    return join(foundPublishing(), 'twine')
  },
  get 'check-wheel-contents'() {
    return join(foundPublishing(), 'check-wheel-contents')
  },
  get hadolint() {
    return join(foundDeploying(), 'hadolint')
  },
  get 'kubernetes-validate'() {
    return join(foundDeploying(), 'kubernetes-validate')
  },
}

const environments = new Map<Age, string>()

/** A program of an environment, which is made where it is missing and mended where it is stale. */
export function tool(name: string, age: Age = 'newest'): string {
  const folder = environments.get(age) ?? makeEnvironment(age)
  environments.set(age, folder)
  return join(folder, BIN, name)
}

export function version(): string {
  return AGES.map(releaseOf).join(' ')
}

/** Installs the interpreters, uv and what uv provides. */
export function provide(): void {
  AGES.forEach(provideInterpreter)
  provideUv()
  for (const age of AGES) tool('python', age)
  foundPublishing()
  foundDeploying()
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
  const folder = makeEnvironment('newest', 'upstream')
  const interpreter = join(folder, BIN, 'python')
  uv(['pip', 'install', '--upgrade', '--python', interpreter, 'httpx2', 'httpcore2'])
  return folder
}

function makeEnvironment(age: Age, name = releaseOf(age), lock = LOCK): string {
  const folder = join(SDK, '.venv', name)
  if (!existsSync(folder)) uv(['venv', '--allow-existing', '--python', pythons[age], folder])
  uv(['pip', 'sync', '--require-hashes', '--python', join(folder, BIN, 'python'), lock])
  return folder
}

function uv(args: readonly string[]): void {
  const { status, stderr } = spawnSync(programs.uv, ['--quiet', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new MissingProgram(`uv ${args.join(' ')} failed:\n${stderr}`)
}
