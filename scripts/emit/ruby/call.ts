import { isSent } from '../../model/index.ts'
import type { Doc, Field, Name, Operation, Parameter, TypeRef } from '../../model/types.ts'
import type { Declarations } from './declarations.ts'
import { member, variable } from './naming.ts'

/** A parameter of a method. */
export interface Argument {
  /** Its name in the method. */
  variable: string
  /** Its name at its destination: in JSON, or as a field of a model. */
  key: string
  type: TypeRef
  required: boolean
  /** Its value if the caller omits it: in a body, nil would mean null. */
  fallback: 'nil' | 'Core::OMIT'
  doc: Doc
  /** The service's default. */
  default?: unknown
  /** Whether it is a field of a form, where bytes are a file. */
  isPart?: boolean
}

/** A variant of a body: the value that selects it, and its fields. */
export interface Variant {
  value: string
  fields: Argument[]
}

/** A field that has only one value. */
export interface Constant {
  wire: string
  value: string | number | boolean
}

/** How a body is given. */
export type BodyForm =
  | { kind: 'none' }
  /** Its fields are keywords. */
  | { kind: 'fields'; model: string; fields: Argument[] }
  /** So are those of a form, which may hold files. */
  | { kind: 'form'; fields: Argument[]; constants: Constant[] }
  /** The tag is a keyword; the other keywords are the fields of the variant that it selects. */
  | { kind: 'variants'; union: string; tag: Argument; variants: Variant[] }
  /** It is the last positional parameter. */
  | { kind: 'value'; argument: Argument }

/**
 * The parameters of a method: path parameters by position, then keywords, required ones first and
 * otherwise in the order of body, query and headers.
 */
export interface Call {
  path: Argument[]
  body: BodyForm
  query: Argument[]
  headers: Argument[]
}

/** How the method of an operation is called. */
export function callOf(operation: Operation, declarations: Declarations): Call {
  const { pathParams, queryParams, headerParams, idempotency } = operation
  const body = bodyOf(operation, declarations)
  const taken = new Set(bodyArguments(body).map((argument) => argument.variable))
  if (body.kind === 'variants') {
    taken.add('fields')
    for (const { fields } of body.variants) for (const { key } of fields) taken.add(key)
  }
  const query = apart(queryParams.map(parameter), taken, 'query')
  // The key of a call comes from its options.
  const header = idempotency?.header.toLowerCase()
  const sent = headerParams.filter(({ wire }) => wire.toLowerCase() !== header)
  const headers = apart(sent.map(parameter), taken, 'header')
  return { path: apart(pathParams.map(parameter), taken, 'path'), body, query, headers }
}

/** Parameters that are given by position. */
export function positional({ path, body }: Call): Argument[] {
  return body.kind === 'value' ? [...path, body.argument] : path
}

/** Parameters that are given by name. */
export function keywords({ body, query, headers }: Call): Argument[] {
  const own = body.kind === 'value' ? [] : bodyArguments(body)
  return requiredFirst([...own, ...query, ...headers])
}

/** The keywords of a variant, without its tag. */
export function keywordsOf({ fields }: Variant, call: Call): Argument[] {
  // They are handed on, and so called like the field.
  const own = fields.map((field) => ({ ...field, variable: field.key }))
  return requiredFirst([...own, ...call.query, ...call.headers])
}

function requiredFirst(list: readonly Argument[]): Argument[] {
  return [...list.filter(({ required }) => required), ...list.filter(({ required }) => !required)]
}

function bodyArguments(body: BodyForm): Argument[] {
  switch (body.kind) {
    case 'none':
      return []
    case 'fields':
    case 'form':
      return body.fields
    case 'variants':
      return [body.tag]
    case 'value':
      return [body.argument]
  }
}

function bodyOf({ body }: Operation, declarations: Declarations): BodyForm {
  if (!body) return { kind: 'none' }
  const { type, format, required, doc } = body
  const form = declarations.form(body)
  if (form) {
    const fields = declarations.fields(form)
    const given = fields.filter(isGiven).map(formArgument)
    return { kind: 'form', fields: given, constants: constants(fields) }
  }
  const object = format === 'json' ? declarations.object(body) : null
  if (object) {
    const fields = declarations.fields(object).filter(isGiven).map(fieldArgument)
    return { kind: 'fields', model: object.id, fields }
  }
  const target = declarations.target(type)
  if (target?.kind === 'union' && target.tag && format === 'json' && required) {
    const variants = variantsOf(target.tag, declarations)
    if (variants) return { kind: 'variants', union: target.id, ...variants }
  }
  const key = 'body'
  const argument = { variable: key, key, type, required, fallback: 'Core::OMIT', doc } as const
  return { kind: 'value', argument }
}

/** The tag and the variants of a union, where all of them are models that have it. */
function variantsOf(
  { property, mapping }: { property: string; mapping: Readonly<Record<string, string>> },
  declarations: Declarations,
): { tag: Argument; variants: Variant[] } | null {
  const variants: Variant[] = []
  let tag: Argument | null = null
  for (const [value, id] of Object.entries(mapping).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const model = declarations.target({ kind: 'ref', id })
    if (model?.kind !== 'model' || declarations.isOpen(model)) return null
    const fields = declarations.fields(model)
    const own = fields.find(({ wire }) => wire === property)
    if (!own) return null
    tag ??= { ...fieldArgument(own), required: true }
    const others = fields.filter((field) => field !== own && isGiven(field))
    variants.push({ value, fields: others.map(fieldArgument) })
  }
  return tag && { tag, variants }
}

/** Constants are no parameters: the model fills them in. */
function isGiven(field: Field): boolean {
  return isSent(field) && (field.type.kind !== 'literal' || field.presence === 'optional')
}

function fieldArgument(field: Field): Argument {
  const { name, type, presence, doc } = field
  const required = presence === 'required'
  return { ...names(name), type, required, fallback: 'Core::OMIT', doc, default: field.default }
}

function formArgument(field: Field): Argument {
  return { ...fieldArgument(field), key: field.wire, isPart: true }
}

function constants(fields: readonly Field[]): Constant[] {
  return fields.flatMap((field) => {
    const { wire, type, presence } = field
    const isFixed = type.kind === 'literal' && presence === 'required' && isSent(field)
    return isFixed ? [{ wire, value: type.value }] : []
  })
}

function names(name: Name): { variable: string; key: string } {
  return { variable: variable(name), key: member(name) }
}

function parameter({ name, wire, type, required, doc }: Parameter): Argument {
  return { variable: variable(name), key: wire, type, required, fallback: 'nil', doc }
}

/** Gives arguments whose names are taken a longer name, and marks all names as taken. */
function apart(list: readonly Argument[], taken: Set<string>, location: string): Argument[] {
  const others = new Set(taken)
  return list.map((argument) => {
    const isTaken = others.has(argument.variable)
    const name = isTaken ? `${location}_${argument.variable}` : argument.variable
    taken.add(name)
    return { ...argument, variable: name }
  })
}
