// The witnesses of the catalogue, with the rules for their changes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCatalogue } from '../../changes/catalogue.ts'
import { compare } from '../../changes/compare/index.ts'
import { loadRevision } from '../../changes/revision.ts'
import { type Change, LANGUAGES, type Language } from '../../changes/types.ts'
import { NAME_RULES } from '../../languages.ts'
import { loadPlatform } from '../../lower/platform.ts'
import { loadPolicy } from '../../lower/policy.ts'
import { ROOT } from '../../repository.ts'
import { type Rule, rulesFor } from '../../upgrades/rules/index.ts'
import { callerOf, NAMES, readWitnesses, type Witness } from '../witnesses/witness.ts'

export const EXTENSIONS: Readonly<Record<Language, string>> = {
  typescript: 'ts',
  python: 'py',
  ruby: 'rb',
  go: 'go',
}

export interface Case {
  kind: string
  witness: Witness
  changes: Change[]
  rules: Record<Language, Rule[]>
  /** The programs; null where a language has none. */
  sources: Record<Language, string | null>
}

const [{ platform }, { policy }, { catalogue }] = await Promise.all([
  loadPlatform(NAMES, NAME_RULES),
  loadPolicy(join(ROOT, 'sdks/behavior.yaml')),
  loadCatalogue(),
])

export async function readCases(): Promise<Case[]> {
  return Promise.all(readWitnesses().map(readCase))
}

async function readCase(witness: Witness): Promise<Case> {
  const { changes, rules } = await rulesOf(witness.folder)
  const sources = byLanguage((language) => {
    const file = callerOf(witness, EXTENSIONS[language])
    return file === null ? null : readFileSync(file, 'utf8')
  })
  return { kind: witness.kind, witness, changes, rules, sources }
}

/** The rules for the change from `before.yaml` to `after.yaml`. */
export async function rulesOf(folder: string): Promise<Pick<Case, 'changes' | 'rules'>> {
  if (!platform || !policy) throw new Error('The names or the policy cannot be read.')
  const surroundings = { root: folder, platform, policy }
  const [before, after] = await Promise.all([
    loadRevision(join(folder, 'before.yaml'), surroundings),
    loadRevision(join(folder, 'after.yaml'), surroundings),
  ])
  const changes = compare(before, after, catalogue)
  return { changes, rules: byLanguage((language) => rulesFor(changes, before, after, language)) }
}

function byLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map((one) => [one, make(one)])) as Record<Language, T>
}
