import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythons } from '../../toolchain/languages/python.ts'
import { filesOf } from '../support.ts'
import type { Fields, Seen } from './seen.ts'

interface Declared {
  alias?: string
  bases?: string[]
  fields?: Record<string, Field>
}

interface Field {
  annotation: string
  default: string | null
}

const SCRIPT = fileURLToPath(new URL('fields.py', import.meta.url))

/** Reads the syntax tree that Python itself makes of the module of types. */
export function read(packages: readonly string[]): Fields[] {
  const files = packages.map((folder) => {
    const [path = ''] = filesOf(folder, /_generated\/types\.py$/).keys()
    return join(folder, path)
  })
  const output = execFileSync(pythons.newest, [SCRIPT, ...files], { encoding: 'utf8' })
  return (JSON.parse(output) as Array<Record<string, Declared>>).map(fieldsOf)
}

function fieldsOf(types: Readonly<Record<string, Declared>>): Fields {
  // A map, as a field may be called __proto__.
  const inherited = (name: string): Map<string, Field> => {
    const { bases = [], fields = {} } = types[name] ?? {}
    return new Map([...bases.flatMap((base) => [...inherited(base)]), ...Object.entries(fields)])
  }
  return new Map(
    Object.keys(types).flatMap((name) =>
      [...inherited(name)].map(([wire, field]): [string, Seen] => [
        `${name}.${wire}`,
        seen(field.annotation, field.default, types),
      ]),
    ),
  )
}

/** An absent field is None by default, or UNSET where None means that it is null. */
function seen(
  annotation: string,
  initial: string | null,
  types: Readonly<Record<string, Declared>>,
): Seen {
  const parts = partsOf(annotation, types)
  const mayBeAbsent = initial === 'None' || initial === 'UNSET'
  const isNullable = parts.some((part) => part === 'None' || part === 'Any')
  const values = parts.filter((part) => part !== 'None' && part !== 'Unset')
  return {
    mayBeAbsent,
    nullable: initial === 'None' ? false : isNullable,
    closed: values.length > 0 && values.every((part) => part.startsWith('Literal[')),
  }
}

/** The members of a union at its top level, aliases replaced by what they stand for. */
function partsOf(text: string, types: Readonly<Record<string, Declared>>, depth = 0): string[] {
  const parts: string[] = ['']
  let nesting = 0
  // A text in a Literal may hold any of these characters.
  for (const token of text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\s\S]/g) ?? []) {
    if (token === '[') nesting++
    if (token === ']') nesting--
    if (token === '|' && nesting === 0) parts.push('')
    else parts.push(`${parts.pop()}${token}`)
  }
  return parts.flatMap((part) => {
    const alias = types[part.trim()]?.alias
    return alias === undefined || depth > 9 ? [part.trim()] : partsOf(alias, types, depth + 1)
  })
}

/** Arguments have no type. */
export const hasAllTypes = false
