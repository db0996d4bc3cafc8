import { type Document, isSeq, parseDocument } from 'yaml'
import { partsOf } from '../changes/compare/index.ts'
import type { Comparison } from '../changes/diff.ts'
import { nameOf, namesOf } from '../changes/subject.ts'

/** What goes from the service or the SDKs. An old name of a field went when it was renamed. */
const GONE =
  /^(?!field-old-name-).*-(?:removed|refused|renamed|moved|inlined|field-(?:optional-)?renamed-kept)$/

const INTRODUCTION = `# Names that a release removed. They must not be used again, because programs with older packages may still use
# them in the old sense. npm run version adds to this list.
`

/** The names that a release removes. */
export function removedNames({ before, after }: Pick<Comparison, 'before' | 'after'>): string[] {
  const names = namesOf(after.api)
  const gone = [...partsOf(before, after).values()].filter(
    ({ kind, subject }) => GONE.test(kind) && subject.of !== 'other',
  )
  return [...new Set(gone.map(({ subject }) => nameOf(subject)))].filter((name) => !names.has(name))
}

/** The list of reserved names with those that a version removed. */
export function withReserved(
  list: string | null,
  names: readonly string[],
  version: string,
): string {
  const document: Document = parseDocument(list ?? '')
  if (!isSeq(document.contents)) document.contents = document.createNode([])
  for (const name of names) document.add({ name, removed: version })
  return `${list === null ? INTRODUCTION : ''}${document.toString({ lineWidth: 0 })}`
}
