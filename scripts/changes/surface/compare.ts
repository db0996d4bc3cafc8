// What changed in the surfaces of the SDKs though neither the contract nor the policy explains it.
import { createHash } from 'node:crypto'
import { type Catalogue, fill } from '../catalogue.ts'
import { type Change, type Effects, LANGUAGES, type Language, TITLES } from '../types.ts'
import { type Declaration, declarationsOf } from './declarations.ts'
import type { Explained } from './explained.ts'
import { partsOf } from './parts.ts'
import { widening } from './widened.ts'

/** The surface of an SDK at some time. */
export interface Surface {
  /** As reports call the file. */
  file: string
  text: string
}

export type Surfaces = Partial<Record<Language, Surface>>

/** Compares the surfaces that both revisions have. */
export function compareSurfaces(
  before: Surfaces,
  after: Surfaces,
  explain: () => Explained,
  catalogue: Catalogue,
): Change[] {
  let explained: Explained | null = null
  return LANGUAGES.flatMap((language) => {
    const [old, now] = [before[language], after[language]]
    if (!old || !now || old.text === now.text) return []
    const symbols = changedSymbols(language, old, now)
    explained ??= explain()
    const known = explained
    const unexplained = symbols.filter((symbol) => !known.covers(language, symbol))
    return unexplained.map((symbol) => changeOf(symbol, language, { old, now }, catalogue))
  })
}

interface Changed {
  kind: 'sdk-symbol-added' | 'sdk-symbol-removed' | 'sdk-symbol-changed' | 'sdk-symbol-extended'
  key: string
  name: string
  before: Declaration | null
  after: Declaration | null
  /** What is only in one of the declarations. */
  lost: string[]
  won: string[]
}

function changedSymbols(language: Language, old: Surface, now: Surface): Changed[] {
  const [before, after] = [old, now].map(({ text }) => declarationsOf(language, text)) as [
    Map<string, Declaration>,
    Map<string, Declaration>,
  ]
  resolve(before, after)
  resolve(after, before)
  const gone = [...before].filter(([key]) => !after.has(key))
  const come = [...after].filter(([key]) => !before.has(key))
  const isWidened = widening(language, before, after)
  return [
    ...outermost(gone).map(([key, one]): Changed => {
      return {
        kind: 'sdk-symbol-removed',
        key,
        name: one.name,
        before: one,
        after: null,
        lost: [],
        won: [],
      }
    }),
    ...outermost(come).map(([key, one]): Changed => {
      return {
        kind: 'sdk-symbol-added',
        key,
        name: one.name,
        before: null,
        after: one,
        lost: [],
        won: [],
      }
    }),
    ...[...before].flatMap(([key, one]): Changed[] => {
      const other = after.get(key)
      if (!other || other.text === one.text) return []
      const [lost, won] = [only(one.text, other.text), only(other.text, one.text)]
      const isExtended = lost.length === 0 && won.every((part) => OPTIONAL[language].test(part))
      const accepts = isWidened(one, other) ?? isExtended
      const kind = accepts ? 'sdk-symbol-extended' : 'sdk-symbol-changed'
      return [{ kind, key, name: one.name, before: one, after: other, lost, won }]
    }),
  ]
}

/** Without the parts of what came or went as a whole. */
function outermost(all: ReadonlyArray<[string, Declaration]>): Array<[string, Declaration]> {
  const keys = new Set(all.map(([key]) => key))
  const isWithin = (key: string) =>
    [...key.matchAll(/[.#[]|::| (?=include|extend|prepend|alias)/g)].some(({ index }) =>
      keys.has(key.slice(0, index)),
    )
  return all.filter(([key]) => isNamed(key) && !isWithin(key))
}

/** Whether users can name it, and not only what refers to it. */
function isNamed(key: string): boolean {
  return /[ .:#]/.test(key)
}

/** What a call need not give. Go has none of them. */
const OPTIONAL: Readonly<Record<Language, RegExp>> = {
  typescript: /^(?:readonly )?['\w$]+\?: /,
  python: /^\w+(?:: .+)? = |^\*$/,
  ruby: /^\?/,
  go: /^(?!)/,
}

/** The parts of a declaration that another does not have. */
function only(text: string, other: string): string[] {
  const rest = partsOf(other)
  return partsOf(text).filter((part) => {
    const index = rest.indexOf(part)
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
}

function changeOf(
  { kind: id, key, name, before, after }: Changed,
  language: Language,
  { old, now }: { old: Surface; now: Surface },
  catalogue: Catalogue,
): Change {
  const kind = catalogue.get(id)
  if (!kind) throw new Error(`The catalogue has no kind ${id}`)
  const everywhere = <T>(value: T) =>
    Object.fromEntries(LANGUAGES.map((one) => [one, value])) as Record<Language, T>
  const nobody = { upgrade: null, stay: null, receive: null }
  const effects: Effects = { ...everywhere(nobody), [language]: kind.effects[language] }
  const text = fill(kind, { subject: `\`${name}\`` })
  return {
    fingerprint: createHash('sha256').update(`${id} ${language} ${key}`).digest('hex').slice(0, 12),
    kind: id,
    pointer: `/${language}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    before: before && { file: old.file, line: before.line },
    after: after && { file: now.file, line: after.line },
    class: kind.class,
    preview: false,
    provenance: 'generator',
    subject: everywhere(name),
    effects,
    text: `${TITLES[language]}: ${text}`,
    texts: everywhere(text),
    users: [],
    renamed: null,
    assumed: { before: false, after: false },
    approved: null,
  }
}

/**
 * Copies a declaration to where it is exported once more, if `other` declares it there: which entry
 * has the declaration is of no concern to users.
 */
function resolve(found: Map<string, Declaration>, other: ReadonlyMap<string, Declaration>): void {
  for (const [key, { name, text }] of [...found]) {
    const again = `export { ${name} };`
    const there = other.get(key)
    if (text !== again || !there || there.text === again) continue
    const owner = key.slice(0, -name.length)
    for (const one of [...found.values()]) {
      const isDeclared = one.name === name && one.text !== again
      if (isDeclared) found.set(key, { ...one, text: exported(one.text) })
      if (one.name.startsWith(`${name}.`)) found.set(owner + one.name, one)
    }
  }
}

function exported(text: string): string {
  return text.startsWith('export ') ? text : `export ${text}`
}
