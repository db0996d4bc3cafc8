import type { Primitive, TypeRef } from '../../model/types.ts'
import type { TypeScriptFile } from './file.ts'
import { quote } from './literal.ts'

const PRIMITIVES: Readonly<Record<Primitive, string>> = {
  string: 'string',
  integer: 'number',
  int64: 'number | bigint',
  number: 'number',
  boolean: 'boolean',
  date: 'string',
  'date-time': 'string',
  base64: 'string',
  binary: 'Blob',
  null: 'null',
  any: 'unknown',
}

/** A reference to a type, with its imports. */
export function typeText(type: TypeRef, file: TypeScriptFile): string {
  switch (type.kind) {
    case 'primitive':
      return PRIMITIVES[type.type]
    case 'literal':
      return typeof type.value === 'string' ? quote(type.value) : String(type.value)
    case 'list': {
      const of = typeText(type.of, file)
      return of.includes(' ') ? `(${of})[]` : `${of}[]`
    }
    case 'map':
      return `Record<string, ${typeText(type.of, file)}>`
    case 'nullable':
      return `${typeText(type.of, file)} | null`
    case 'ref':
      return file.use(type.id, 'generated/types')
  }
}
