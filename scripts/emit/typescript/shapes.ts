import { indexOf, type TypeIndex } from '../../model/index.ts'
import { reachableFrom } from '../../model/reach.ts'
import type { Api, Model, Operation, Primitive, TypeRef } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { TypeScriptFile } from './file.ts'
import { literal, propertyKey } from './literal.ts'

// In the runtime's own words, `core/shape.ts`.
const PRIMITIVES: Readonly<Record<Primitive, string>> = {
  string: '',
  integer: '%',
  int64: '%',
  number: '#',
  boolean: '!',
  date: '',
  'date-time': '',
  base64: '',
  binary: '*',
  null: '*',
  any: '*',
}

const LITERALS: Readonly<Record<string, string>> = { string: '', number: '#', boolean: '!' }

/** The shapes of the models and unions that responses hold. */
export function emitShapes({ decls, operations }: Api, sources: Sources): OutFile {
  const index = indexOf(decls)
  const file = new TypeScriptFile('generated/shapes.ts', sources.contract)
  const results = operations.flatMap((operation) => namesIn(resultShape(operation, decls) ?? ''))
  const reached = reachableFrom(results, index.decl)
  file.doc('What responses hold, in the words of `core/shape.ts`.')
  const write = () => {
    for (const decl of decls.filter(({ id }) => reached.has(id))) {
      if (decl.kind === 'model') {
        file.lines(`${propertyKey(decl.id)}: ${literal(fieldsOf(decl, index))},`)
      } else if (decl.kind === 'union' && decl.tag) {
        const { property, mapping } = decl.tag
        file.lines(`${propertyKey(decl.id)}: ${literal([property, mapping])},`)
      }
    }
  }
  const shape = file.use('Shape', 'core/shape')
  return file
    .block(`export const shapes: Readonly<Record<string, ${shape}>> = {`, write, '}')
    .finish()
}

/** The shape of the data of a response. Null where there is none, or where statuses differ. */
export function resultShape({ result }: Operation, decls: Api['decls']): string | null {
  const [type, ...others] = result.types
  if (result.format !== 'json' || !type || others.length > 0) return null
  const shape = shapeOf(type, indexOf(decls))
  return shape === '*' ? null : shape
}

/** The fields that a response has, by their names in JSON. */
function fieldsOf(model: Model, index: TypeIndex): Record<string, string> {
  const fields = index.fields(model).filter(({ direction }) => direction !== 'write')
  return Object.fromEntries(
    fields.map(({ wire, type, presence }) => [
      wire,
      (presence === 'optional' ? '?' : '') + shapeOf(type, index),
    ]),
  )
}

function shapeOf(type: TypeRef, index: TypeIndex): string {
  const resolved = index.resolve(type)
  switch (resolved.kind) {
    case 'primitive':
      return PRIMITIVES[resolved.type]
    case 'literal':
      return LITERALS[typeof resolved.value] ?? '*'
    case 'list':
      return `[${shapeOf(resolved.of, index)}`
    case 'map':
      return `{${shapeOf(resolved.of, index)}`
    case 'nullable':
      return `~${shapeOf(resolved.of, index)}`
    case 'ref':
      return named(index.decl(resolved.id))
  }
}

function named(decl: ReturnType<TypeIndex['decl']>): string {
  if (decl?.kind === 'model') return decl.id
  if (decl?.kind === 'union' && decl.tag) return decl.id
  if (decl?.kind === 'enum') return PRIMITIVES[decl.base]
  return '*'
}

/** The name of a model or a union in a shape. */
function namesIn(shape: string): string[] {
  return shape.match(/[\p{L}_$][\p{L}\p{N}_$]*$/u) ?? []
}
