// Whether all calls of a declaration fit another: its arguments take the same values or more.
import type { ByLanguage, Language } from '../types.ts'
import type { Declaration } from './declarations.ts'

/** A function with what stands around its arguments. */
interface Signature {
  head: string
  positional: string[]
  keywords: string[]
  result: string
}

/** How a language writes an argument. */
interface Syntax {
  /** How a function begins. */
  callable: RegExp
  /** An argument: its name, a mark or a default where a call need not give it, and its type. */
  argument: RegExp
  /** One that is given by its name. */
  keyword: RegExp
  /** What makes those after it keywords. */
  divider: RegExp
  /** A type under a name. */
  alias: RegExp
  /** Types that hold everything. */
  everything: readonly string[]
}

const NOTHING = /^(?!)/

const SYNTAX: Readonly<ByLanguage<Syntax>> = {
  typescript: {
    callable:
      /^(?:(?:export|declare|static|async|abstract|protected|function) )*[\w$]+(?:<[^(]*>)?\(/,
    argument: /^(?<name>[\w$]+)(?<optional>\?)?: (?<type>.+)$/s,
    keyword: NOTHING,
    divider: NOTHING,
    alias: /^(?:export )?type (?<name>\w+) = (?<type>.+?);?$/s,
    everything: ['unknown', 'any'],
  },
  python: {
    callable: /^(?:\w+ )*def /,
    argument: /^(?<name>\w+)(?:: (?<type>.+?))?(?<optional> = .+)?$/s,
    keyword: NOTHING,
    divider: /^\*(?!\*)/,
    alias: /^type (?:\w+\.)*(?<name>\w+) = (?<type>.+)$/s,
    everything: ['object', 'Any'],
  },
  ruby: {
    callable: /^def /,
    argument: /^(?<optional>\?)?(?:(?<name>\w+): (?<type>.+)|(?<type>\S.*?)(?: (?<name>\w+))?)$/s,
    keyword: /^\??\w+: /,
    divider: NOTHING,
    alias: /^type (?:\w+::)*(?<name>\w+) = (?<type>.+)$/s,
    everything: ['untyped', 'top'],
  },
  // A type of Go holds another only by what it can do.
  go: {
    callable: NOTHING,
    argument: NOTHING,
    keyword: NOTHING,
    divider: NOTHING,
    alias: NOTHING,
    everything: [],
  },
}

type Surface = ReadonlyMap<string, Declaration>

/** Decides for the functions of two surfaces. Null for what is no function. */
export function widening(language: Language, before: Surface, after: Surface) {
  const { argument } = SYNTAX[language]
  const [old, now] = [typesOf(language, before), typesOf(language, after)]
  const isOptional = (text: string) => argument.exec(text)?.groups?.optional !== undefined
  const isWider = (from: string, to: string | undefined): boolean => {
    if (from === to) return true
    const [one, other] = [argument.exec(from)?.groups, argument.exec(to ?? '')?.groups]
    if (!one || !other || one.name !== other.name) return false
    if (one.optional !== undefined && one.optional !== other.optional) return false
    const [gave, takes] = [old(one.type ?? ''), now(other.type ?? '')]
    return takes === null || (gave?.every((type) => takes.includes(type)) ?? false)
  }
  const fits = (from: Signature | null, to: Signature | null | undefined): boolean => {
    if (!from || !to || from.head !== to.head || from.result !== to.result) return false
    const further = to.positional.slice(from.positional.length)
    const rest = new Set(to.keywords)
    return (
      from.positional.every((each, index) => isWider(each, to.positional[index])) &&
      from.keywords.every((each) =>
        [...rest].some((its) => isWider(each, its) && rest.delete(its)),
      ) &&
      [...further, ...rest].every(isOptional)
    )
  }
  return (one: Declaration, other: Declaration): boolean | null => {
    const [froms, tos] = [one, other].map(({ text }) =>
      split(text, '\n').map((overload) => signatureOf(overload, SYNTAX[language])),
    )
    if (!froms || froms.every((from) => from === null)) return null
    return froms.length === tos?.length && froms.every((from, index) => fits(from, tos[index]))
  }
}

/** The types that a type may be, names looked up; null where it holds everything. */
function typesOf(language: Language, surface: Surface) {
  const { alias, everything } = SYNTAX[language]
  const aliases = new Map(
    [...surface.values()].flatMap(({ text }): Array<[string, string]> => {
      const { name, type } = alias.exec(text)?.groups ?? {}
      return name && type ? [[name, type]] : []
    }),
  )
  const list = (type: string, within: readonly string[]): string[] =>
    split(type, '|').flatMap((each) => {
      const literals = /^Literal\[(.*)\]$/s.exec(each)?.[1]
      if (literals !== undefined) return split(literals, ',')
      const name = each.split(/\.|::/).at(-1) ?? each
      const meant = within.includes(name) ? undefined : aliases.get(name)
      return meant === undefined ? [each] : list(meant, [...within, name])
    })
  return (type: string): string[] | null => {
    const types = list(type, [])
    return types.some((each) => everything.includes(each)) ? null : types
  }
}

/** Null for what has no arguments. */
function signatureOf(text: string, { callable, keyword, divider }: Syntax): Signature | null {
  const start = text.indexOf('(')
  if (!callable.test(text) || start < 0) return null
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if ('([{'.includes(text[at] ?? '')) depth += 1
    if (')]}'.includes(text[at] ?? '')) depth -= 1
    if (depth > 0) continue
    const all = split(text.slice(start + 1, at), ',')
    const edge = all.findIndex((each) => divider.test(each))
    const isKeyword = (each: string, index: number) =>
      keyword.test(each) || (edge >= 0 && index > edge)
    const positional = all.filter((each, index) => !isKeyword(each, index) && each !== '*')
    const keywords = all.filter(isKeyword)
    return { head: text.slice(0, start), positional, keywords, result: text.slice(at + 1) }
  }
  return null
}

/** Splits at a character that stands in no brackets and in no quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let part = ''
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote
    else if (`'"`.includes(character)) quote = character
    else if ('([{<'.includes(character)) depth += 1
    else if (')]}>'.includes(character)) depth -= 1
    const isEdge = quote === '' && depth === 0 && character === separator
    if (isEdge) parts.push(part)
    part = isEdge ? '' : part + character
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '')
}
