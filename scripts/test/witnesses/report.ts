import { join } from 'node:path'
import { loadCatalogue } from '../../changes/catalogue.ts'
import { compare } from '../../changes/compare/index.ts'
import { loadRevision } from '../../changes/revision.ts'
import type { Change } from '../../changes/types.ts'
import { NAME_RULES } from '../../languages.ts'
import { loadPlatform } from '../../lower/platform.ts'
import { loadPolicy } from '../../lower/policy.ts'
import { ROOT } from '../../repository.ts'
import { NAMES, type Witness } from './witness.ts'

/** A change of a report, but for the effects, which the catalogue has, and for what repeats its text. */
export type Reported = Omit<Change, 'effects' | 'texts'>

const [{ platform }, { policy }, { catalogue }] = await Promise.all([
  loadPlatform(NAMES, NAME_RULES),
  loadPolicy(join(ROOT, 'sdks/behavior.yaml')),
  loadCatalogue(),
])

/** What `contract:diff` reports of a witness. */
export async function reportOf({ folder }: Witness): Promise<Reported[]> {
  if (!platform || !policy) throw new Error('The names or the policy cannot be read.')
  const surroundings = { root: folder, platform, policy }
  const [before, after] = await Promise.all([
    loadRevision(join(folder, 'before.yaml'), surroundings),
    loadRevision(join(folder, 'after.yaml'), surroundings),
  ])
  return compare(before, after, catalogue).map(({ effects: _, texts: __, ...change }) => change)
}
