import { isSent, type TypeIndex } from '../../model/index.ts'
import type { Body, Doc, Field, Model, Operation, Parameter, TypeRef } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import { fieldDoc } from './doc.ts'
import { literal, quote } from './literal.ts'
import { argument } from './naming.ts'
import { alternatives, builtin, modelOf, type Scope, typeText } from './references.ts'

/** An argument of a method. */
export interface Argument {
  name: string
  wire: string
  /** Its annotation, without the one for its absence. */
  type: string
  required: boolean
  /** What stands for its absence: None, unless that means null. */
  absent: 'None' | 'UNSET'
  doc: Doc
  /** The meanings of its values, by value. */
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

/** Which arguments an operation takes, in the order in which they are written. */
export function signatureOf(operation: Operation, scope: Scope): Signature {
  const path = operation.pathParams.map((parameter) => ofParameter(parameter, scope))
  const others = parametersOf(operation).map((parameter) => ofParameter(parameter, scope))
  const simple = (fields: Argument[], body: Signature['body']): Signature => {
    return { path, keywords: requiredFirst([...fields, ...others]), overloads: [], body }
  }
  const { body } = operation
  if (!body) return simple([], null)

  const shapes = shapesOf(operation, scope.index)
  if (!shapes) {
    const whole = wholeBody(body, scope)
    return simple([whole], { whole })
  }
  const given = shapes.map((shape) => argumentsOf(shape, body, scope))
  const [only = []] = given
  if (given.length === 1) return simple(only, { fields: only })
  const fields = merge(given, body, scope)
  return {
    ...simple(fields, { fields }),
    overloads: given.map((some) => requiredFirst([...some, ...others])),
  }
}

export function parametersOf({ queryParams, headerParams }: Operation): Parameter[] {
  return [...queryParams, ...headerParams]
}

function ofParameter({ name, wire, type, required, doc }: Parameter, scope: Scope): Argument {
  // Null cannot be sent in a query or a header.
  const text = typeText(type, scope)
  return { name: argument(name), wire, type: text, required, absent: 'None', doc }
}

function wholeBody({ type, required, doc, format }: Body, scope: Scope): Argument {
  const text = partText(type, format, scope)
  return { name: 'body', wire: 'body', type: text, required, absent: absence(text), doc }
}

/** One way to give a body: the field that selects it, and the other fields. */
export interface Shape {
  tag: { wire: string; values: readonly string[] } | null
  fields: readonly Field[]
}

/** The shapes in which arguments give the body; null where it is one argument, or there is none. */
export function shapesOf(operation: Operation, index: TypeIndex): Shape[] | null {
  const { body, pathParams } = operation
  const shapes = body && objectShapes(body, index)
  const parameters = [...pathParams, ...parametersOf(operation)].map(({ name }) => argument(name))
  const wires = new Map<string, string>()
  const isClear = shapes?.every((shape) => {
    const members = membersOf(shape)
    const names = [...parameters, ...members.map(({ name }) => name)]
    const isSame = members.every(({ name, wire }) => (wires.get(name) ?? wire) === wire)
    for (const { name, wire } of members) wires.set(name, wire)
    return isSame && new Set(names).size === names.length
  })
  return shapes && isClear ? shapes : null
}

/** Null also for an optional body, since no arguments could mean none or an empty one. */
function objectShapes({ type, required, format }: Body, index: TypeIndex): Shape[] | null {
  const isObject = format === 'json' || format === 'multipart' || format === 'urlencoded'
  if (!required || !isObject || type.kind === 'nullable') return null
  const whole = modelOf(type, { index })
  if (whole) {
    const fields = fieldsOf(whole, index)
    return fields && [{ tag: null, fields }]
  }
  const decl = type.kind === 'ref' ? index.decl(type.id) : undefined
  if (decl?.kind !== 'union' || !decl.tag) return null
  const { property: wire, mapping } = decl.tag
  const shapes = decl.variants.map((variant): Shape | null => {
    const shape = modelOf(variant, { index })
    const values = Object.keys(mapping).filter((value) => {
      return modelOf({ kind: 'ref', id: mapping[value] ?? '' }, { index }) === shape
    })
    const fields = shape ? fieldsOf(shape, index) : null
    if (!fields || values.length === 0) return null
    return { tag: { wire, values }, fields: fields.filter((field) => field.wire !== wire) }
  })
  return shapes.every((shape) => shape !== null) ? shapes : null
}

/** Null where arguments could not say everything that the object may hold. */
function fieldsOf(model: Model, index: TypeIndex): Field[] | null {
  return index.extra(model) ? null : index.fields(model).filter(isSent)
}

function membersOf({ tag, fields }: Shape): Array<{ name: string; wire: string }> {
  const members = fields.map(({ name, wire }) => ({ name: argument(name), wire }))
  return tag ? [{ name: argument(words(tag.wire)), wire: tag.wire }, ...members] : members
}

function argumentsOf({ tag, fields }: Shape, { format }: Body, scope: Scope): Argument[] {
  const list = fields.map((field): Argument => {
    const { name, wire, presence } = field
    const type = partText(field.type, format, scope)
    // Nothing but requests is made from arguments.
    const doc = fieldDoc({ ...field, direction: 'both' })
    const required = presence === 'required'
    return { name: argument(name), wire, type, required, absent: absence(type), doc }
  })
  return tag ? [tagArgument(tag, scope), ...list] : list
}

function tagArgument({ wire, values }: NonNullable<Shape['tag']>, { file }: Scope): Argument {
  const type = `${file.use('Literal', 'typing')}[${values.map(quote).join(', ')}]`
  const doc = { text: 'Selects the other arguments', assumed: null, deprecated: false }
  return { name: argument(words(wire)), wire, type, required: true, absent: 'None', doc }
}

/** What stands for the absence of a value in a body. */
function absence(type: string): Argument['absent'] {
  return /\bNone$|^Any$/.test(type) ? 'UNSET' : 'None'
}

/** A type as it is in a body: parts of a form that are bytes may be files. */
function partText(type: TypeRef, format: Body['format'], scope: Scope): string {
  if (format !== 'multipart') return typeText(type, scope)
  if (type.kind === 'list') return `${builtin('list', scope)}[${partText(type.of, format, scope)}]`
  if (type.kind !== 'primitive' || type.type !== 'binary') return typeText(type, scope)
  return scope.file.use('FileTypes', '_core.files')
}

/** The arguments of all shapes together. One that a shape lacks, or does not require, is optional. */
function merge(shapes: readonly Argument[][], body: Body, scope: Scope): Argument[] {
  const all = new Map<string, Argument[]>()
  for (const one of shapes.flat()) all.set(one.name, [...(all.get(one.name) ?? []), one])
  return [...all.values()].flatMap((same, index): Argument[] => {
    const [first] = same
    if (!first) return []
    if (index > 0) {
      const doc = same.find(({ doc }) => doc.text)?.doc ?? first.doc
      const type = alternatives(same.map((one) => one.type))
      const required = same.length === shapes.length && same.every((one) => one.required)
      return [{ ...first, doc, type, required, absent: absence(type) }]
    }
    const values = variantTexts(body, scope)
    const doc = { ...first.doc, text: `${first.doc.text}${values.length > 0 ? ':' : '.'}` }
    return [{ ...first, doc, type: literals(same), values }]
  })
}

/** `Literal["a"]` and `Literal["b"]` as one. */
function literals(same: readonly Argument[]): string {
  return `Literal[${same.map(({ type }) => type.slice('Literal['.length, -1)).join(', ')}]`
}

function variantTexts({ type }: Body, { index }: Scope): Array<[string, string]> {
  const union = type.kind === 'ref' ? index.decl(type.id) : undefined
  if (union?.kind !== 'union' || !union.tag) return []
  const { mapping } = union.tag
  return union.variants.flatMap((variant) =>
    Object.entries(mapping).flatMap(([value, id]): Array<[string, string]> => {
      const text = variant.kind === 'ref' && variant.id === id ? index.decl(id)?.doc.text : null
      return text ? [[literal(value), text]] : []
    }),
  )
}

function requiredFirst(list: readonly Argument[]): Argument[] {
  return [...list.filter(({ required }) => required), ...list.filter(({ required }) => !required)]
}
