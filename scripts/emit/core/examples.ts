import { indexOf, type TypeIndex } from '../../model/index.ts'
import { inTurn } from '../../model/turns.ts'
import type {
  Api,
  Decl,
  Field,
  Model,
  Name,
  Operation,
  Parameter,
  TypeRef,
  Union,
  Webhook,
} from '../../model/types.ts'
import { singularName, words } from '../../model/words.ts'
import { hasEvents } from './events.ts'

/** The calls of the README examples; null where a contract has no such call. */
export interface ReadmeExamples {
  /** One list, by a filter and by the length of its pages. */
  list: { all: Call; page: Call } | null
  /** The first call. */
  start: Call | null
  /** A call that handles each kind of error. */
  failing: Call | null
  /** A call that reads one thing by its identifier, else the call with the fewest arguments. */
  read: Call | null
  /** A field with an enum type in the result of `read`, with its first value. */
  choice: { model: Model; field: Field; value: string } | null
  create: Call | null
  /** A call whose body is one of several. */
  variant: Call | null
  /** An event, with fields of its data. */
  event: { kind: string; shown: Field[] } | null
}

/** A call with its required arguments, and perhaps one more. */
export interface Call {
  operation: Operation
  path: Given[]
  query: Given[]
  body: Body | null
  /** The name of its result, or of one item of it. */
  noun: Name
  /** An idempotency key, where it takes one. */
  key: string | null
  /** The fields of the result to show in one line. */
  shown: Field[]
  /** The values of these fields in the contract's first example; null unless the call reads one thing. */
  prints: string | null
}

/** The object that is sent: of a union, one of its variants. */
export interface Body {
  model: Model
  /** The union that it is a variant of. */
  union: Union | null
  fields: Given[]
}

/** A value for a parameter or a field. */
export interface Given {
  wire: string
  name: Name
  type: TypeRef
  value: Scalar
}

/** Values that every language writes in a word or two. */
export type Scalar = string | number | boolean

type Example = Readonly<Record<string, unknown>>

/** Names that the snippets use themselves. */
export const TAKEN_NOUNS = new Set(
  `client console ctx data err error errors event failure fmt http log next page params print puts raw
  refused response url`.split(/\s+/),
)

const MAX_SHOWN = 2

/** Picks the calls to show by their shape, not by their names. */
export function readmeExamples(api: Api): ReadmeExamples {
  const { operations, decls, webhooks } = api
  const picker = new Picker(decls)
  const current = inTurn(operations).filter(({ doc }) => !doc.deprecated)
  const list = first(current, ({ pathParams }) => pathParams.length, picker.list)
  const home = String(list?.all.operation.resource)
  const isFar = ({ resource, pathParams }: Operation) =>
    (String(resource) === home ? 0 : 2) + (pathParams.length > 0 ? 0 : 1)
  const isPlain = ({ verb, idempotency }: Operation) => (verb === 'POST' && idempotency ? 0 : 1)
  const read = first(current, isFar, picker.read)
  const create = first(current, isPlain, picker.create)
  const variant = first(current, isPlain, picker.variant)
  const start = read ?? create ?? variant
  return {
    list,
    start,
    failing: start ?? list?.page ?? null,
    read,
    choice: read && picker.choice(read),
    create,
    variant,
    event: hasEvents(api) ? picker.event(inTurn(webhooks)) : null,
  }
}

/** A call of an operation with its required arguments; null where it has no short one. */
export function exampleCallOf(operation: Operation, decls: readonly Decl[]): Call | null {
  return new Picker(decls).call(operation)
}

/** What a call shows beside its required arguments. */
export interface Shown {
  /** Parameters of the query and of headers, by their names on the wire. */
  parameters?: readonly string[]
  /** Fields of the body. */
  fields?: readonly string[]
  /** The variant of the body, by the id of its declaration. */
  variant?: string
  /** A value of an enum, which its field or parameter gets. */
  value?: { id: string; value: string | number }
}

/**
 * A call of an operation that shows something, whatever it returns; null where its arguments are not all
 * values that a line can hold.
 */
export function callThatShows(
  operation: Operation,
  decls: readonly Decl[],
  shown: Shown,
): Call | null {
  return new Picker(decls, shown).anyCall(operation)
}

/** The first of the best that can be shown. */
function first<T>(
  operations: readonly Operation[],
  rank: (operation: Operation) => number,
  pick: (operation: Operation) => T | null,
): T | null {
  for (const operation of [...operations].sort((a, b) => rank(a) - rank(b))) {
    const picked = pick(operation)
    if (picked !== null) return picked
  }
  return null
}

class Picker {
  readonly #types: TypeIndex
  readonly #wanted: Shown

  constructor(decls: readonly Decl[], wanted: Shown = {}) {
    this.#types = indexOf(decls)
    this.#wanted = wanted
  }

  list = (operation: Operation): ReadmeExamples['list'] => {
    const { page, queryParams } = operation
    const bare = this.call(operation)
    if (!page || !bare || operation.body) return null
    const filter = queryParams.find((parameter) => {
      const isPaging = [page.cursorParam, page.limitParam].includes(parameter.wire)
      return !isPaging && !parameter.required && this.#given(parameter) !== null
    })
    const limit = queryParams.find(({ wire }) => wire === page.limitParam)
    return { all: this.#with(bare, filter), page: this.#with(bare, limit ?? filter) }
  }

  read = (operation: Operation): Call | null => {
    const call = operation.verb === 'GET' && !operation.page ? this.call(operation) : null
    return call && !call.body ? call : null
  }

  /** A field with an enum. Its value is the example's, because a new value may stand before all others. */
  choice({ operation }: Call): ReadmeExamples['choice'] {
    const [type] = operation.result.types
    const example = exampleOf(operation)
    const model = type && this.#types.model(type)
    if (!model) return null
    for (const field of this.#shown(model)) {
      const decl = this.#types.target(field.type)
      const values = decl?.kind === 'enum' ? decl.values : []
      const value = values.find((one) => one === example[field.wire]) ?? values[0]
      if (typeof value === 'string') return { model, field, value }
    }
    return null
  }

  create = (operation: Operation): Call | null => {
    const call = operation.verb === 'GET' ? null : this.call(operation)
    return call?.body && !call.body.union ? call : null
  }

  variant = (operation: Operation): Call | null => {
    const call = this.call(operation)
    return call?.body?.union ? call : null
  }

  /** The first event whose data has fields to show. */
  event(webhooks: readonly Webhook[]): ReadmeExamples['event'] {
    const events = webhooks.map(({ event, payload }) => {
      const model = this.#types.model(payload)
      const fields = model ? this.#types.fields(model) : []
      const data = fields.find(({ wire }) => wire === 'data')
      return { kind: event, shown: this.#shown(data && this.#types.target(data.type)) }
    })
    return events.find(({ shown }) => shown.length > 0) ?? events[0] ?? null
  }

  #with(call: Call, parameter: Parameter | undefined): Call {
    const given = parameter && this.#given(parameter)
    const query = call.query.filter(({ wire }) => wire !== given?.wire)
    return given ? { ...call, query: [...query, given] } : call
  }

  /** A call with its required arguments; null if they do not fit one line. */
  call(operation: Operation): Call | null {
    const needsHeader = operation.headerParams.some(({ required }) => required)
    if (needsHeader || (operation.body && !operation.body.required)) return null
    return resultOf(operation) && this.anyCall(operation)
  }

  /** A call of any result, with headers among its parameters. */
  anyCall(operation: Operation): Call | null {
    const path = all(operation.pathParams, (parameter) => this.#given(parameter))
    const query = all(this.#parameters(operation), (parameter) => this.#given(parameter))
    const body = this.#sends(operation) ? this.#body(operation) : null
    if (!path || !query || (this.#sends(operation) && !body)) return null
    const result = resultOf(operation)
    const shown = this.#shown(result ? this.#types.target(result) : undefined)
    const noun = operation.page?.itemName ?? nounOf(operation)
    const isFree = noun.length > 0 && !TAKEN_NOUNS.has(noun.join('').toLowerCase())
    return {
      operation,
      path,
      query,
      body,
      noun: isFree ? noun : ['result'],
      key: operation.idempotency && `${noun.join('-').toLowerCase()}-17`,
      shown,
      prints: operation.page || operation.verb !== 'GET' ? null : printed(operation, shown),
    }
  }

  /** The parameters to give, apart from those of the path. The SDKs send keys of idempotency themselves. */
  #parameters({ queryParams, headerParams, idempotency }: Operation): Parameter[] {
    const key = idempotency?.header.toLowerCase()
    const given = [...queryParams, ...headerParams.filter(({ wire }) => wire.toLowerCase() !== key)]
    return given.filter(
      ({ required, wire, type }) =>
        required || this.#wanted.parameters?.includes(wire) || this.#isValue(type),
    )
  }

  /** Whether a type is the enum that has the value to show. */
  #isValue(type: TypeRef): boolean {
    return (
      this.#wanted.value !== undefined && this.#types.target(type)?.id === this.#wanted.value.id
    )
  }

  /** Whether a call has a body. */
  #sends({ body }: Operation): boolean {
    if (!body) return false
    const { fields = [], variant, value } = this.#wanted
    return body.required || fields.length > 0 || variant !== undefined || value !== undefined
  }

  #body({ body }: Operation): Body | null {
    if (body?.format !== 'json') return null
    const target = this.#types.target(body.type)
    const shown = [...body.examples.map(({ value }) => value), target?.example]
    if (target?.kind === 'model') {
      const fields = this.#sent(target, object(shown[0]))
      return fields && fields.length > 0 ? { model: target, union: null, fields } : null
    }
    if (target?.kind !== 'union' || !target.tag) return null
    const { property, mapping } = target.tag
    const { variant = null } = this.#wanted
    const tags = Object.keys(mapping).filter((tag) => variant === null || mapping[tag] === variant)
    const bodies = tags.flatMap((tag) => {
      const example = shown.map(object).find((value) => value[property] === tag)
      return this.#variant(target, property, tag, example ?? {}) ?? []
    })
    return bodies.sort((a, b) => a.fields.length - b.fields.length)[0] ?? null
  }

  #variant(union: Union, property: string, tag: string, example: Example): Body | null {
    const model = this.#types.model({ kind: 'ref', id: union.tag?.mapping[tag] ?? '' })
    const fields = model && this.#sent(model, example)
    if (!fields) return null
    const own = fields.find(({ wire }) => wire === property)
    const type: TypeRef = own?.type ?? { kind: 'literal', value: tag }
    const given = { wire: property, name: own?.name ?? words(property), type, value: tag }
    const others = fields.filter(({ wire }) => wire !== property)
    return { model, union, fields: [given, ...others] }
  }

  /** Values for the fields that a model must have, and for those to show. */
  #sent(model: Model, example: Example): Given[] | null {
    const isShown = ({ wire, type }: Field) =>
      this.#wanted.fields?.includes(wire) || this.#isValue(type)
    const needed = this.#types
      .fields(model)
      .filter(({ direction }) => direction !== 'read')
      .filter((field) => field.presence === 'required' || isShown(field))
    return all(needed, (field) => this.#given({ ...field, example: example[field.wire] }))
  }

  #given({
    wire,
    name,
    type,
    example,
  }: Pick<Parameter, (keyof Given & keyof Parameter) | 'example'>) {
    const value = this.#scalar(type, example, name)
    return value === null ? null : { wire, name, type, value }
  }

  #scalar(type: TypeRef, example: unknown, name: Name): Scalar | null {
    if (type.kind === 'literal') return type.value
    const decl = this.#types.target(type)
    if (decl?.kind === 'enum') {
      const { value } = this.#wanted
      if (value?.id === decl.id) return value.value
      return decl.values.find((value) => value === example) ?? decl.values[0] ?? null
    }
    const resolved = this.#types.resolve(type)
    if (resolved.kind !== 'primitive') return null
    switch (resolved.type) {
      case 'string':
        return typeof example === 'string' && example !== '' ? example : placeholder(name)
      case 'integer':
      case 'int64':
        return Number.isSafeInteger(example) ? (example as number) : 1
      case 'number':
        return typeof example === 'number' ? example : 1
      case 'boolean':
        return example !== false
      default:
        return null
    }
  }

  #shown(decl: Decl | undefined): Field[] {
    const fields = decl?.kind === 'model' ? this.#types.fields(decl) : []
    return fields
      .filter(({ presence, direction, type }) => {
        return presence === 'required' && direction !== 'write' && this.#isShort(type)
      })
      .slice(0, MAX_SHOWN)
  }

  #isShort(type: TypeRef): boolean {
    if (type.kind === 'primitive') return type.type === 'string' || type.type === 'integer'
    const target = this.#types.target(type)
    return target?.kind === 'enum' && target.base === 'string'
  }
}

/** The result of a call, if it is one thing. */
function resultOf({ page, result }: Operation): TypeRef | null {
  const [type, ...others] = page ? [page.item] : result.types
  return type && others.length === 0 && !result.optional && result.format === 'json' ? type : null
}

/** The noun of a method: the last resource of its path. */
function nounOf({ resource, method }: Operation): Name {
  return singularName(resource.at(-1) ?? method)
}

function all<T, U>(items: readonly T[], map: (item: T) => U | null): U[] | null {
  const mapped = items.map(map)
  return mapped.every((one) => one !== null) ? (mapped as U[]) : null
}

function object(value: unknown): Example {
  return typeof value === 'object' && value !== null ? (value as Example) : {}
}

function placeholder(name: Name): string {
  return name.join('_').toLowerCase() || 'text'
}

/** The contract's first example of what an operation returns. */
function exampleOf({ responses }: Operation): Example {
  const success = responses.find(({ status }) => status.startsWith('2'))
  return object(success?.body?.examples[0]?.value)
}

/** The line that a snippet prints, if the contract has an example of the fields. */
function printed(operation: Operation, shown: readonly Field[]): string | null {
  const example = exampleOf(operation)
  const values = shown.map(({ wire }) => example[wire])
  const isPlain = values.every((value) => /^[\w.-]{1,40}$/.test(String(value ?? '')))
  return isPlain && values.length > 0 ? values.join(' ') : null
}
