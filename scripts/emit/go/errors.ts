import type { Api } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { clause } from './doc.ts'
import { GoFile } from './file.ts'
import { pascal } from './naming.ts'

/** A type for each status that has a class. */
export function emitErrors({ policy, platform }: Api, sources: Sources): OutFile {
  const file = new GoFile('errors', sources.behavior, platform.goPackage)
  const { classes } = policy.errors
  for (const { name, doc } of classes) {
    file.doc(`${name} reports that ${clause(inGo(doc))}`)
    file.lines(`type ${name} struct{ *APIError }`, '')
    file.lines(`func (e *${name}) Unwrap() error { return e.APIError }`, '')
  }
  const choose = () => {
    for (const { from, to, name } of classes) {
      const matches =
        from === to ? `e.Status == ${from}` : `e.Status >= ${from} && e.Status <= ${to}`
      file.lines(`case ${matches}:`, `\treturn &${name}{e}`)
    }
    file.lines('default:', '\treturn e')
  }
  return file
    .doc('classify returns the error as the type of its status, or as a plain APIError.')
    .block('func classify(e *APIError) error {', () => file.block('switch {', choose, '}'), '}')
    .finish()
}

/** Spells the fields in a sentence of the policy like Go. */
function inGo(doc: string): string {
  return doc.replace(/`(\w+)`/g, (_, field: string) => pascal(words(field)))
}
