import { words } from '../../build/words.ts'
import type {
  Body,
  Decl,
  Doc,
  Field,
  Model,
  Operation,
  Parameter,
  TypeRef,
} from '../../model/types.ts'
import { literal, quote } from './literal.ts'
import { argument } from './naming.ts'
import { alternatives, modelId, type Scope, typeText } from './references.ts'
import { allFields } from './shapes.ts'

/** An argument of a method. */
export interface Argument {
  name: string
  wire: string
  /** As it is annotated, without what stands for its absence. */
  type: string
  required: boolean
  doc: Doc
  /** What its values mean, by the value. */
  values?: ReadonlyArray<readonly [value: string, text: string]>
}

/** How a method is called. */
export interface Signature {
  path: readonly Argument[]
  keywords: readonly Argument[]
  /** The ways to call it, where its body comes in several shapes. */
  overloads: ReadonlyArray<readonly Argument[]>
  /** The arguments that make the body, or the one that is it. */
  body: { fields: Argument[] } | { whole: Argument } | null
}

/** What a part of a form that is a file may be. */
const FILE = 'bytes | IO[bytes] | tuple[str, bytes | IO[bytes], str]'

/** Which arguments an operation takes, in the order in which they are written. */
export function signatureOf(operation: Operation, scope: Scope): Signature {
  const path = operation.pathParams.map((parameter) => ofParameter(parameter, scope))
  const others = parametersOf(operation).map((parameter) => ofParameter(parameter, scope))
  const simple = (fields: Argument[], body: Signature['body']): Signature => {
    return { path, keywords: requiredFirst([...fields, ...others]), overloads: [], body }
  }
  const { body } = operation
  if (!body) return simple([], null)

  const shapes = shapesOf(body, scope)
  const clash = shapes?.some((fields) => sharesName([...path, ...fields, ...others])) ?? true
  if (!shapes || clash) {
    const whole = wholeBody(body, scope)
    return simple([whole], { whole })
  }
  const [only = []] = shapes
  if (shapes.length === 1) return simple(only, { fields: only })
  const fields = merge(shapes, body, scope)
  return {
    ...simple(fields, { fields }),
    overloads: shapes.map((shape) => requiredFirst([...shape, ...others])),
  }
}

export function parametersOf({ queryParams, headerParams }: Operation): Parameter[] {
  return [...queryParams, ...headerParams]
}

function ofParameter({ name, wire, type, required, doc }: Parameter, scope: Scope): Argument {
  return { name: argument(name), wire, type: typeText(type, scope), required, doc }
}

function wholeBody({ type, required, doc, format }: Body, scope: Scope): Argument {
  const text = partText(type, format, scope)
  return { name: 'body', wire: 'body', type: text, required, doc }
}

/** The fields of each shape that a body has, or null where it is one argument. */
function shapesOf({ type, required, format }: Body, scope: Scope): Argument[][] | null {
  const isObject = format === 'json' || format === 'multipart' || format === 'urlencoded'
  if (!required || !isObject || type.kind === 'nullable') return null
  const id = modelId(type, scope.decls)
  if (id !== null) {
    const fields = fieldsOf(id, format, scope)
    return fields && [fields]
  }
  const decl = type.kind === 'ref' ? scope.decls.get(type.id) : undefined
  if (decl?.kind !== 'union' || !decl.tag) return null
  const { property, mapping } = decl.tag
  const shapes = decl.variants.map((variant) => {
    const shape = modelId(variant, scope.decls)
    const values = Object.keys(mapping).filter((value) => {
      return modelId({ kind: 'ref', id: mapping[value] ?? '' }, scope.decls) === shape
    })
    const fields = shape === null ? null : fieldsOf(shape, format, scope)
    if (!fields || values.length === 0) return null
    const tag = tagArgument(property, values, scope)
    return [tag, ...fields.filter(({ wire }) => wire !== property)]
  })
  return shapes.every((shape) => shape !== null) ? shapes : null
}

function tagArgument(wire: string, values: readonly string[], { file }: Scope): Argument {
  const type = `${file.use('Literal', 'typing')}[${values.map(quote).join(', ')}]`
  const doc = { text: 'What the other arguments are:', assumed: null, deprecated: false }
  return { name: argument(words(wire)), wire, type, required: true, doc }
}

/** Null where arguments could not say everything that the object may hold. */
function fieldsOf(id: string, format: Body['format'], scope: Scope): Argument[] | null {
  const model = scope.decls.get(id)
  if (model?.kind !== 'model' || hasExtra(model, scope.decls)) return null
  return allFields(model, scope.decls)
    .filter(({ direction }) => direction !== 'read')
    .map((field) => ofField(field, format, scope))
}

function hasExtra(
  model: Model,
  decls: ReadonlyMap<string, Decl>,
  within: readonly string[] = [],
): boolean {
  if (model.extra) return true
  return model.extends.some((id) => {
    const base = within.includes(id) ? undefined : decls.get(id)
    return base?.kind === 'model' && hasExtra(base, decls, [...within, id])
  })
}

function ofField(field: Field, format: Body['format'], scope: Scope): Argument {
  const { name, wire, presence, doc } = field
  const type = partText(field.type, format, scope)
  return { name: argument(name), wire, type, required: presence === 'required', doc }
}

/** A type as it is in a body: parts of a form that are bytes may be files. */
function partText(type: TypeRef, format: Body['format'], scope: Scope): string {
  if (format !== 'multipart') return typeText(type, scope)
  if (type.kind === 'list') return `list[${partText(type.of, format, scope)}]`
  if (type.kind !== 'primitive' || type.type !== 'binary') return typeText(type, scope)
  scope.file.use('IO', 'typing')
  return FILE
}

/** The arguments of all shapes together: those that only some have are optional. */
function merge(shapes: readonly Argument[][], body: Body, scope: Scope): Argument[] {
  const all = new Map<string, Argument[]>()
  for (const one of shapes.flat()) all.set(one.name, [...(all.get(one.name) ?? []), one])
  return [...all.values()].flatMap((same, index): Argument[] => {
    const [first] = same
    if (!first) return []
    const doc = same.find(({ doc }) => doc.text)?.doc ?? first.doc
    const type = alternatives(same.map((one) => one.type))
    if (index > 0) return [{ ...first, doc, type, required: false }]
    return [{ ...first, type: literals(same), values: variantTexts(body, scope) }]
  })
}

/** `Literal["a"]` and `Literal["b"]` as one. */
function literals(same: readonly Argument[]): string {
  return `Literal[${same.map(({ type }) => type.slice('Literal['.length, -1)).join(', ')}]`
}

function variantTexts({ type }: Body, { decls }: Scope): Array<[string, string]> {
  const union = type.kind === 'ref' ? decls.get(type.id) : undefined
  if (union?.kind !== 'union' || !union.tag) return []
  const { mapping } = union.tag
  return union.variants.flatMap((variant) =>
    Object.entries(mapping).flatMap(([value, id]): Array<[string, string]> => {
      const text = variant.kind === 'ref' && variant.id === id ? decls.get(id)?.doc.text : null
      return text ? [[literal(value), text]] : []
    }),
  )
}

function requiredFirst(list: readonly Argument[]): Argument[] {
  return [...list.filter(({ required }) => required), ...list.filter(({ required }) => !required)]
}

function sharesName(list: readonly Argument[]): boolean {
  return new Set(list.map(({ name }) => name)).size < list.length
}
