import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Contract, loadContract } from '../contract/load.ts'
import { lower } from '../lower/lower.ts'
import { loadPolicy } from '../lower/policy.ts'
import type { Api, Platform, Policy } from '../model/types.ts'
import { formatProblem, type Location, type Read } from '../yaml/index.ts'
import type { Surfaces } from './surface/compare.ts'
import { SURFACES } from './surface/declarations.ts'
import { LANGUAGES } from './types.ts'
import { Unreadable } from './unreadable.ts'

export { Unreadable }

/** A contract and a policy at some time. */
export interface Revision {
  /** As the user named it. */
  name: string
  contract: Contract
  api: Api
  /** Null where it is not known or has a form that today's SDKs do not read; it is not compared. */
  policy: { value: Policy; locate(pointer: string): Location } | null
}

/** Where a revision comes from. */
interface Source {
  name: string
  /** Absolute; it need not exist on the disk. */
  contract: string
  /** Null where the policy is not known. */
  policy: string | null
  /** The folder with a folder of each language, in which its surface is. */
  surfaces: string
  /** How files are called in reports. */
  nameOf(path: string): string
  read?: Read
}

export interface Surroundings {
  /** The root of the repository. */
  root: string
  platform: Platform
  /** The policy of revisions that have none. */
  policy: Policy
}

/**
 * Reads a revision.
 *
 * @param name A file, `git:REV`, or a released version; null for the files of the work tree.
 * @throws Unreadable
 */
export async function loadRevision(
  name: string | null,
  { root, platform, policy }: Surroundings,
): Promise<Revision> {
  const source = name === null ? workTree(root) : sourceOf(name, root)
  const { contract, problems } = await loadContract(source.contract, {
    name: source.nameOf(source.contract),
    ...(source.read && { read: source.read }),
  })
  if (!contract) {
    const [first] = problems.filter(({ severity }) => severity === 'error')
    const text = first ? formatProblem(first) : 'it cannot be read.'
    // A file on the disk has a path; of another revision only the name says which it is.
    throw new Unreadable(source.read ? `${source.name}: ${text}` : text)
  }
  const known = await policyOf(source)
  const { api } = lower(contract, platform, known?.value ?? policy)
  return { name: source.name, contract, api, policy: known }
}

async function policyOf({ policy, nameOf, read }: Source): Promise<Revision['policy']> {
  if (policy === null) return null
  const { policy: value, locate } = await loadPolicy(policy, read ? { read } : {})
  const named = (pointer: string) => ({ ...locate(pointer), file: nameOf(policy) })
  return value && { value, locate: named }
}

/** The surfaces of a revision that are known. @throws Unreadable */
export function loadSurfaces(name: string | null, { root }: Pick<Surroundings, 'root'>): Surfaces {
  const { surfaces, nameOf, read } = name === null ? workTree(root) : sourceOf(name, root)
  const entries = LANGUAGES.flatMap((language) => {
    const path = join(surfaces, language, SURFACES[language])
    try {
      const text = read ? read(path) : readFileSync(path, 'utf8')
      return [[language, { file: nameOf(path), text }] as const]
    } catch {
      return []
    }
  })
  return Object.fromEntries(entries)
}

function workTree(root: string): Source {
  return {
    name: 'the work tree',
    contract: join(root, 'openapi.yaml'),
    policy: join(root, 'sdks/behavior.yaml'),
    surfaces: join(root, 'sdks'),
    nameOf: (path) => relative(root, path),
  }
}

function sourceOf(name: string, root: string): Source {
  if (name.startsWith('git:')) return gitSource(name.slice('git:'.length), root)
  const released = join(root, 'contracts', `${name}.yaml`)
  const file = existsSync(name) ? name : existsSync(released) ? released : null
  if (file === null) throw new Unreadable(missing(name, root))
  return fileSource(name, file, root)
}

/** A policy stands beside its contract: `1.2.0.behavior.yaml` beside `1.2.0.yaml`. Surfaces are in `1.2.0`. */
function fileSource(name: string, file: string, root: string): Source {
  const stem = join(dirname(file), basename(file).replace(/\.\w+$/, ''))
  const beside = `${stem}.behavior.yaml`
  return {
    name,
    contract: resolve(file),
    policy: existsSync(beside) ? resolve(beside) : null,
    surfaces: resolve(stem),
    nameOf: (path) => {
      const known = relative(root, path)
      return known.startsWith('..') ? path : known
    },
  }
}

function missing(name: string, root: string): string {
  const versions = versionsOf(root)
  const known = versions.length > 0 ? ` (released: ${versions.join(', ')})` : ''
  return `"${name}" is neither a file nor a released version${known}. Name one, or a git revision as git:${/^[\w./~^-]+$/.test(name) ? name : 'main'}.`
}

function gitSource(revision: string, root: string): Source {
  const name = `git:${revision}`
  const top = git(root, ['rev-parse', '--show-prefix'])
  if (top.status !== 0) {
    throw new Unreadable(
      `${name} needs a git repository, and ${root} is none. Name a file or a released version instead.`,
    )
  }
  const known = git(root, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`])
  if (revision === '' || revision.startsWith('-') || known.status !== 0) {
    throw new Unreadable(
      `${name} is no commit of this repository. Name another revision; "git log --oneline" lists them.`,
    )
  }
  const read = (path: string) => {
    const file = relative(root, path).replaceAll('\\', '/')
    const shown = git(root, ['show', `${known.stdout.trim()}:${top.stdout.trim()}${file}`])
    if (shown.status !== 0) throw new Error(`there is no ${file} in ${revision}`)
    return shown.stdout
  }
  const contract = join(root, 'openapi.yaml')
  try {
    read(contract)
  } catch {
    throw new Unreadable(
      `${name} has no openapi.yaml. Name a later revision: "git log --oneline -- openapi.yaml" lists those that changed it.`,
    )
  }
  return {
    name,
    contract,
    policy: join(root, 'sdks/behavior.yaml'),
    surfaces: join(root, 'sdks'),
    nameOf: (path) => relative(root, path),
    read,
  }
}

function git(root: string, args: readonly string[]): { status: number; stdout: string } {
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  return { status: status ?? 1, stdout: stdout ?? '' }
}

/**
 * The newest release, else the last tag.
 *
 * @param example A command that names a base, for the message.
 * @throws Unreadable where there is neither.
 */
export function defaultBase(root: string, example = 'npm run contract:diff -- git:HEAD'): string {
  const newest = versionsOf(root).at(-1)
  if (newest) return newest
  const tag = git(root, ['describe', '--tags', '--abbrev=0'])
  if (tag.status === 0) return `git:${tag.stdout.trim()}`
  throw new Unreadable(
    `There is no release in contracts/ and no git tag to compare with. Name a base: ${example}`,
  )
}

/** The released versions, oldest first. */
function versionsOf(root: string): string[] {
  const folder = join(root, 'contracts')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((file) => /^(\d+\.\d+\.\d+(?:-[\w.]+)?)\.yaml$/.exec(file)?.[1] ?? [])
    .sort(byVersion)
}

/** By precedence: a version before its own release is older. */
function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => {
    const [numbers = '', ...rest] = version.split('-')
    return { numbers, label: rest.join('-') }
  }) as [Parsed, Parsed]
  const order = left.numbers.localeCompare(right.numbers, 'en', { numeric: true })
  if (order !== 0 || left.label === right.label) return order
  if (left.label === '' || right.label === '') return left.label === '' ? 1 : -1
  return left.label.localeCompare(right.label, 'en', { numeric: true })
}

interface Parsed {
  numbers: string
  label: string
}
