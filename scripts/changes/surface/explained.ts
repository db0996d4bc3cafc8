import type { Api } from '../../model/types.ts'
import type { Finding } from '../compare/findings.ts'
import type { Language } from '../types.ts'
import type { Declaration } from './declarations.ts'
import { folded, Names } from './names.ts'
import { partsOf } from './parts.ts'
import { type Place, placesOf } from './places.ts'

/** A declaration that is new, gone or different. */
export interface Differing {
  name: string
  before: Declaration | null
  after: Declaration | null
  /** The parts that only one of them has, where there are both. */
  lost: readonly string[]
  won: readonly string[]
}

/** Changes of marks, which no declaration shows. */
const MARKS = /^assumption-|-(?:deprecated|stabilized|destabilized)$/

/**
 * Recognizes what follows from the contract or the policy in a surface. A change of the contract explains
 * the parts of declarations that have its name, in the types and methods that hold it, and no others.
 */
export class Explained {
  readonly #findings: readonly Finding[]
  readonly #names: Names
  readonly #places = new Map<Language, Place[]>()

  constructor(findings: readonly Finding[], before: Api, after: Api) {
    this.#findings = findings.filter(({ kind }) => !MARKS.test(kind))
    this.#names = new Names(findings, before, after)
  }

  /** Whether the contract explains all that differs in a declaration. */
  covers(language: Language, differing: Differing): boolean {
    const { name, before, after, lost, won } = differing
    const route = /^paths\['(.*)'\]$/.exec(name)?.[1]
    if (route !== undefined) return this.#reaches(route)
    const path = name.split(/[.#[]|::| (?:include|extend|prepend|alias) /).map(variantsOf)
    const own = path.at(-1) ?? []
    const places = this.#placesIn(language).filter((place) => isIn(place, path))
    const isKnown = ({ names }: Place) => names === null || own.some((one) => names.has(one))
    if (places.some(isKnown)) return true
    const { strange } = this.#names
    // What is inside of a type has its name by chance.
    if (!before || !after) return path.length < 3 && own.some((one) => strange.has(one))
    const overloads = overloadsIn(before.text, after.text)
    const isOfOne = (overload: string) =>
      tokensOf(overload).some((token) => isOneOf(token, strange))
    // What has another order only.
    if (lost.length + won.length === 0) return false
    if (overloads.length > 0 && overloads.every(isOfOne)) return true
    const more = differenceOf(lost, won)
    const isExplained = (text: string) => (part: string) => {
      const tokens = tokensOf(part)
      const heads = argumentsWith(part, text).flatMap((one) => tokensOf(one).slice(0, 1))
      const others = tokens.filter((token) => more.has(folded(token)))
      return (
        places.some(({ names }) => [...heads, ...tokens].some((one) => isOneOf(one, names))) ||
        (more.size > 0 && others.every((token) => isOneOf(token, strange)))
      )
    }
    return lost.every(isExplained(before.text)) && won.every(isExplained(after.text))
  }

  /** What openapi-typescript makes of an address. */
  #reaches(route: string): boolean {
    return this.#findings.some(({ subject, users }) => {
      if (subject.of === 'other') return false
      const own = 'operation' in subject ? [subject.operation.id] : []
      return this.#names.operations([...own, ...users]).some(({ path }) => path === route)
    })
  }

  #placesIn(language: Language): Place[] {
    const known = this.#places.get(language)
    if (known) return known
    const places = placesOf(this.#findings, this.#names, language)
    this.#places.set(language, places)
    return places
  }
}

/** Whether a declaration, by the segments of its name, is in a place. */
function isIn({ owners, members }: Place, path: readonly string[][]): boolean {
  const isWithin = owners === null || path.some((segment) => segment.some((one) => owners.has(one)))
  return isWithin && (members === null || (path.at(-1) ?? []).some((one) => members.has(one)))
}

function isOneOf(token: string, names: ReadonlySet<string> | null): boolean {
  return names === null || variantsOf(token).some((one) => names.has(one))
}

/** A name, and the name that it is made of: methods also come in a raw and in an asynchronous form. */
function variantsOf(name: string): string[] {
  const plain = name.replace(/^Async(?=\p{Lu})/u, '').replace(/WithRawResponse$/, '')
  return [...new Set([folded(name), folded(plain)])]
}

/** The overloads that only one declaration has, where one of them has several. */
function overloadsIn(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (old.length === 1 && now.length === 1) return []
  return [...old.filter((one) => !now.includes(one)), ...now.filter((one) => !old.includes(one))]
}

/** The arguments of a declaration that a part, one of the types of an argument, is in. */
function argumentsWith(part: string, text: string): string[] {
  return partsOf(text, '(){};\n,').filter((argument) => partsOf(argument).includes(part))
}

/** What is quoted, and names without the modules that they are in. */
function tokensOf(part: string): string[] {
  const tokens = part.match(/'[^']*'|"[^"]*"|[\p{L}\p{N}_$]+(?!\w|::)/gu) ?? []
  return tokens.map((token) => token.replace(/^['"]|['"]$/g, ''))
}

/** What is said more often on one of the sides. */
function differenceOf(lost: readonly string[], won: readonly string[]): Set<string> {
  const counts = new Map<string, number>()
  const count = (parts: readonly string[], by: number) => {
    for (const token of parts.flatMap(tokensOf).map(folded)) {
      counts.set(token, (counts.get(token) ?? 0) + by)
    }
  }
  count(lost, -1)
  count(won, 1)
  return new Set([...counts].filter(([, times]) => times !== 0).map(([token]) => token))
}
