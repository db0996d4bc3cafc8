import { type Comparison, comparison } from '../changes/diff.ts'
import { summarize } from '../changes/report/summary.ts'
import { defaultBase, type Surroundings, Unreadable } from '../changes/revision.ts'
import { guide } from '../upgrades/guide/index.ts'
import { upgrades } from '../upgrades/rules/files.ts'
import { changesets } from './changesets/index.ts'
import type { Options } from './cli.ts'
import { apply, type Plan, textAt } from './files.ts'
import type { Part } from './part.ts'

/** Everything that follows from a change of the contract, apart from what is generated. */
const PARTS: readonly Part[] = [changesets, guide, upgrades]

export interface Settings extends Surroundings {
  /** As `2027-01-31`. */
  today: string
}

/** What the command prints, and its exit code. */
export interface Outcome {
  exit: 0 | 1 | 2
  stdout: string
  stderr: string
}

/** Writes what follows from a change of the contract, or checks it. Bad input is one sentence, and exit code 2. */
export async function change(
  { base, check }: Options,
  settings: Settings,
  parts: readonly Part[] = PARTS,
): Promise<Outcome> {
  const { root } = settings
  try {
    const revision = base ?? defaultBase(root, 'npm run contract:change -- --base git:HEAD')
    const compared = await comparison({ base: revision, target: null }, settings)
    const found = await planOf(compared, root, parts)
    if (check) return checked(found)
    apply(root, found)
    return { exit: 0, stdout: said(compared, found), stderr: '' }
  } catch (error) {
    if (error instanceof Unreadable) return { exit: 2, stdout: '', stderr: `${error.message}\n` }
    throw error
  }
}

interface Found extends Plan {
  /** Files that are up to date. */
  kept: readonly string[]
  /** Files that would be written, and do not exist. */
  missing: ReadonlySet<string>
}

async function planOf(compared: Comparison, root: string, parts: readonly Part[]): Promise<Found> {
  const wanted = new Map<string, string>()
  for (const part of parts) {
    for (const [path, text] of await part.files(compared, root)) wanted.set(path, text)
  }
  const own = parts.flatMap((part) => part.own(root))
  const texts = new Map([...wanted.keys()].map((path) => [path, textAt(root, path)]))
  return {
    write: new Map([...wanted].filter(([path, text]) => texts.get(path) !== text)),
    remove: own.filter((path) => !wanted.has(path)),
    kept: [...wanted].flatMap(([path, text]) => (texts.get(path) === text ? [path] : [])),
    missing: new Set([...texts].flatMap(([path, text]) => (text === null ? [path] : []))),
  }
}

function checked({ write, remove, missing }: Found): Outcome {
  const lines = [
    ...[...write.keys()].map((path) => `${missing.has(path) ? 'missing' : 'old'}: ${path}`),
    ...remove.map((path) => `no longer needed: ${path}`),
  ]
  if (lines.length === 0) return { exit: 0, stdout: 'Everything is up to date.\n', stderr: '' }
  const all = [
    'The contract or the policy changed, and what users read about it is not up to date:',
    ...lines.map((line) => `  ${line}`),
    'Run `npm run contract:change`, read what it writes, and commit it.',
  ]
  return { exit: 1, stdout: '', stderr: `${all.join('\n')}\n` }
}

function said({ before, changes, remarks }: Comparison, { write, remove, kept }: Found): string {
  const { breaking, additive, documentation } = summarize(changes, 'breaking')
  const counts = `${breaking} breaking, ${additive} additive, ${documentation} documentation`
  const lines = [
    `Changes since ${before.name}: ${changes.length === 0 ? 'none' : counts}.`,
    ...remarks,
    ...[...write.keys()].map((path) => `wrote     ${path}`),
    ...kept.map((path) => `unchanged ${path}`),
    ...remove.map((path) => `removed   ${path}`),
    ...(write.size + remove.length > 0
      ? ['Next: read `git diff`, and commit these files with the contract.']
      : []),
  ]
  return `${lines.join('\n')}\n`
}
