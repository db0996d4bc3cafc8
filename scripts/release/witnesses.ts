import { basename, dirname } from 'node:path'
import { stringify } from 'yaml'
import { filesIn, needed } from './files.ts'

const FILES = 'scripts/changes/witnesses/*/{before.yaml,witness.yaml,caller.*}'

/** The texts of a witness before its change, by file. */
export type KeptWitness = Readonly<Record<string, string>>

/** The witnesses of a repository by kind: programs of users that each later version must run, or report. */
export function witnessesIn(root: string): Record<string, KeptWitness> {
  const kept: Record<string, Record<string, string>> = {}
  for (const path of filesIn(root, FILES)) {
    const kind = basename(dirname(path))
    kept[kind] = { ...kept[kind], [basename(path)]: needed(root, path) }
  }
  return kept
}

/** The same as a release keeps them. */
export function keptWitnesses(root: string): string {
  return stringify(witnessesIn(root), { lineWidth: 0, blockQuote: 'literal' })
}
