import type { ByLanguage, Language } from '../types.ts'

/** The file of each language's surface, in the folder of its SDK. */
export const SURFACES: Readonly<ByLanguage<string>> = {
  typescript: 'api.md',
  python: 'api.txt',
  ruby: 'api.rbs',
  go: 'api.txt',
}

/** What users can name, as a file of `npm run surface` has it. */
export interface Declaration {
  /** As users call it. */
  name: string
  text: string
  /** Its first line. */
  line: number
}

/** How the files of a language are read. */
interface Syntax {
  /** Whether a blank line ends a declaration. Otherwise each line is one. */
  hasBlocks: boolean
  /** The first line of what has declarations within. */
  scope: RegExp | null
  /** What is no declaration. */
  skipped: RegExp
  /** The name of a declaration, or of a part of a scope. */
  name(line: string, scope: string | null): string | null
}

const MODIFIERS = /^(?:(?:static|readonly|get|set|abstract|protected|async) )+/

const SYNTAX: Readonly<ByLanguage<Syntax>> = {
  typescript: {
    hasBlocks: true,
    scope: /^(?:export )?(?:declare |abstract )*(?:class|interface|enum) .*\{$/,
    skipped: /^(?:```|#|Code generated|Exported declarations)/,
    name(line, scope) {
      if (scope === null) {
        const own = /^(?:export )?(?:declare |abstract )*\w+ (\w+)|^export \{ (\w+)/.exec(line)
        return own?.[1] ?? own?.[2] ?? null
      }
      const part = /^(?:\[[^\]]+\]|'[^']*'|"[^"]*"|[\w$]+)/.exec(line.replace(MODIFIERS, ''))?.[0]
      return part === undefined ? null : /^\w/.test(part) ? `${scope}.${part}` : `${scope}[${part}]`
    },
  },
  python: {
    hasBlocks: false,
    scope: null,
    skipped: /^#/,
    name: (line) =>
      /^(?:(?:class|def|async|staticmethod|classmethod|property|type) )*([\w.]+)/.exec(line)?.[1] ??
      null,
  },
  ruby: {
    hasBlocks: true,
    scope: /^(?:class|module|interface) /,
    skipped: /^(?:#|end$)/,
    name(line, scope) {
      if (scope === null) {
        return /^(?:(?:class|module|interface|type) )?(\w+(?:::\w+)*)/.exec(line)?.[1] ?? null
      }
      const [, keyword = '', own, part] =
        /^(\w+) (self\??\.)?((?:[\w:]+(?<!:)|[^\s:]+?)[?!=]?)(?=[:\s[]|$)/.exec(line) ?? []
      if (part === undefined) return null
      return /^(?:include|extend|prepend|alias)$/.test(keyword)
        ? `${scope} ${keyword} ${part}`
        : `${scope}${own ? '.' : '#'}${part}`
    },
  },
  go: {
    hasBlocks: false,
    scope: null,
    skipped: /^\/\//,
    name(line) {
      const [, name = '', rest = ''] = /^pkg (\w+), (.*)$/.exec(line) ?? []
      const method = /^method \(\*?(\w+)[^)]*\) (\w+)/.exec(rest)
      if (method) return `${name}.${method[1]}.${method[2]}`
      const part = /^type (\w+)(?:\[.*?\])? (?:struct|interface), (?:embedded \*?)?([\w.]+)/.exec(
        rest,
      )
      if (part) return `${name}.${part[1]}.${part[2]}`
      const own = /^(?:const|var|func|type) (\w+)/.exec(rest)
      return own ? `${name}.${own[1]}` : null
    },
  },
}

/** The declarations of a surface by their keys: a name, and the entry where a package has several. */
export function declarationsOf(language: Language, surface: string): Map<string, Declaration> {
  const { hasBlocks, scope: opens, skipped, name: nameOf } = SYNTAX[language]
  const found = new Map<string, Declaration>()
  let entry = ''
  let scope: string | null = null
  // Only what an entry exports belongs to it.
  let owner = ''
  let current: Declaration | null = null
  for (const [index, line] of surface.split('\n').entries()) {
    const heading = /^## `(.*)`$/.exec(line)?.[1]
    if (heading !== undefined) entry = `${heading} `
    const isEnd = line === '' || skipped.test(line)
    if (isEnd) {
      scope = current = null
      continue
    }
    const isPart: boolean =
      scope !== null && /^( {2}| {4})\S/.test(line) && !/^\s*[)}\]]/.test(line)
    if (current !== null && hasBlocks && !isPart) {
      if (!/^[}\])]/.test(line) || scope === null) current.text += `\n${line}`
      continue
    }
    const name: string | null = nameOf(line.trim(), isPart ? scope : null)
    if (name === null) continue
    if (!isPart) owner = line.startsWith('export ') ? entry : ''
    current = add(found, owner + name, { name, text: line.trim(), line: index + 1 })
    if (!isPart && opens?.test(line)) scope = name
  }
  return found
}

/** Declarations of one name are the overloads of one part. */
function add(found: Map<string, Declaration>, key: string, one: Declaration): Declaration {
  const known = found.get(key)
  if (!known) {
    found.set(key, one)
    return one
  }
  known.text += `\n${one.text}`
  return known
}
