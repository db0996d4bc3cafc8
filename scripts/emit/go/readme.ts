import { problemOf } from '../../model/index.ts'
import type { Api, Field } from '../../model/types.ts'
import { type Body, type Call, type Given, readmeExamples } from '../core/examples.ts'
import { callSlots, commonSlots, WIDTH } from '../core/readme.ts'
import type { Slots } from '../core/template.ts'
import { fieldType } from './fields.ts'
import { literal, quote } from './literal.ts'
import {
  allName,
  argument,
  fieldName,
  methodName,
  pagesName,
  pascal,
  testPackage,
  valueNames,
} from './naming.ts'
import { piecesOf } from './package.ts'
import { isPrimitive, isRequired, Types } from './references.ts'

/** The slots of the README templates. */
export function readmeSlots(api: Api): Slots {
  const { goModule, goPackage } = api.platform
  const examples = readmeExamples(api)
  const { start, list, read, create, variant, failing, event } = examples
  const writer = new Writer(api)
  // A variant without a tag is no parameter that one line can make.
  const union = variant?.body?.union
  const shown = { ...examples, variant: union && writer.types.tagged(union) ? variant : null }
  const ctx = 'context.Background()'
  const errors = {
    base: `${goPackage}.Error`,
    retryAfter: 'RetryAfter',
    outcome: (name: string) => `Outcome${pascal(name.split('_'))}`,
  }
  const pieces = piecesOf(api)
  const filter = list && writer.filter(list.all)
  const keyed = create?.key ? [`${goPackage}.WithIdempotencyKey(${quote(create.key)})`] : []
  const payload = api.webhooks.find((one) => one.event === event?.kind)?.payload
  const model = payload && writer.types.model(payload)
  return {
    ...commonSlots(api, errors),
    goModule,
    goPackage,
    import: importOf(api.platform),
    testPackage: testPackage(api.platform),
    bodySeconds: `${api.policy.webhooks.bodyTimeoutMs / 1000}`,
    ...callSlots(shown, writer),
    'start.main': start && writer.call(start, { ctx }),
    'failing.main': failing && writer.call(failing, { ctx }),
    'failing.traced':
      failing && writer.call(failing, { more: [`${goPackage}.WithMiddleware(traced)`] }),
    'create.keyed': create && writer.call(create, { more: keyed }),
    filter,
    'all.range':
      list &&
      writer.call(list.all, { name: allName(list.all.operation), params: filter && 'params' }),
    'pages.range': list && writer.call(list.page, { name: pagesName(list.page.operation) }),
    'page.name': list && methodName(list.all.operation),
    ptr: pieces.includes('ptr.go') ? 'Ptr' : null,
    optional: pieces.includes('optional.go') ? 'Optional' : null,
    ...reasonSlots(api, writer.types),
    'read.field': (read && writer.fields(read)[0]) ?? null,
    'read.raw': read && writer.call(read, { more: [`${goPackage}.WithResponseInto(&response)`] }),
    'read.inputs': read && writer.inputs(read),
    'read.target': read && `${quote(read.operation.verb)}, ${quote(read.operation.path)}`,
    event: event && model ? quote(event.kind) : null,
    'event.type': model ? `*${goPackage}.${writer.types.name(model.id)}` : null,
    'event.field': event?.shown[0] ? `event.Data.${fieldName(event.shown[0])}` : 'event.EventID()',
  }
}

/** The line that imports the package. */
export function importOf({ goModule, goPackage }: Api['platform']): string {
  return `${goModule.endsWith(`/${goPackage}`) ? '' : `${goPackage} `}${quote(goModule)}`
}

/** The fields of the contract's problem that hold its reasons. */
function reasonSlots(api: Api, types: Types): Slots {
  const { member, texts } = api.policy.errors.reasons
  const problem = problemOf(api)
  const list = problem && types.fields(problem).find(({ wire }) => wire === member)
  const type = list && types.resolve(list.type)
  const reason = type?.kind === 'list' ? types.model(type.of) : undefined
  const text = reason && types.fields(reason).find(({ wire }) => texts.includes(wire))
  return {
    reasons: list && text ? fieldName(list) : null,
    'reasons.text': text ? fieldName(text) : null,
  }
}

/** The parts of a call that an example may spell differently. */
interface Parts {
  name: string
  ctx: string
  params: string | null
  /** Options. */
  more: readonly string[]
}

/** Writes calls of an API's methods. */
export class Writer {
  readonly types: Types
  readonly #goPackage: string

  constructor(api: Api) {
    this.types = new Types(api)
    this.#goPackage = api.platform.goPackage
  }

  /** The expression that makes a call. */
  call = (call: Call, given: Partial<Parts> = {}): string => {
    const { operation, path, body } = call
    const { name = methodName(operation), ctx = 'ctx', more = [] } = given
    const params = given.params ?? this.#params(call)
    const method = ['client', ...operation.resource.map(pascal), name].join('.')
    const items = [
      ctx,
      ...path.map((given) => this.#value(given)),
      ...(body ? [this.#body(call, body)] : operation.body ? ['nil'] : []),
      ...(params === null ? [] : [params]),
      ...more,
    ]
    const line = `${method}(${items.join(', ')})`
    return line.length <= WIDTH - 10 ? line : `${method}(${items.join(',\n\t')})`
  }

  noun = ({ noun }: Call): string => argument(noun)

  print = (call: Call): string => {
    const line = `fmt.Println(${this.fields(call).join(', ')})`
    return call.prints ? `${line} // => ${call.prints}` : line
  }

  /** The fields of a result to show, else the whole result. */
  fields(call: Call): string[] {
    const noun = this.noun(call)
    return call.shown.length > 0 ? call.shown.map((field) => `${noun}.${fieldName(field)}`) : [noun]
  }

  /** The parameters of a list that has a filter. */
  filter(call: Call): string | null {
    return call.query.length > 0 ? this.#params(call) : null
  }

  /** The inputs of the same request by its path. */
  inputs({ path, query }: Call): string {
    const values = path.map(({ value }) => scalar(value)).join(', ')
    const pairs = query.map(({ wire, value }) => `${quote(wire)}: {${quote(String(value))}}`)
    return [
      ...(path.length > 0 ? [`Path: []any{${values}}`] : []),
      ...(query.length > 0 ? [`Query: url.Values{${pairs.join(', ')}}`] : []),
    ].join(', ')
  }

  /** A pointer, unless one of them is required; nil where none is given, null where none exist. */
  #params({ operation, query }: Call): string | null {
    if (operation.params === null) return null
    const isRequired = [...operation.queryParams, ...operation.headerParams].some(
      ({ required }) => required,
    )
    if (!isRequired && query.length === 0) return 'nil'
    return `${isRequired ? '' : '&'}${this.#object(operation.params, query, true)}`
  }

  /** A body that may be left out is a pointer. */
  #body({ operation }: Call, { model, fields }: Body): string {
    const type = operation.body?.type
    const isPointer = !operation.body?.required && type && !this.types.isInterface(type)
    return `${isPointer ? '&' : ''}${this.#object(model.id, fields)}`
  }

  #object(id: string, given: readonly Given[], areParameters = false): string {
    const model = this.types.model({ kind: 'ref', id })
    const fields = model ? this.types.fields(model) : []
    const entries = given.flatMap((one) => {
      const field = fields.find(({ wire }) => wire === one.wire)
      // The SDK sets constants by itself.
      if (!field || (one.type.kind === 'literal' && !areParameters)) return []
      const made = areParameters ? parameterMaker(one, field) : fieldMaker(field, this.types)
      const value = this.#value(one)
      return [`${fieldName(field)}: ${made ? `${this.#own(made)}(${value})` : value}`]
    })
    return `${this.#own(this.types.name(id))}{${entries.join(', ')}}`
  }

  #value({ type, value }: Given): string {
    if (isPrimitive(this.types.resolve(type), 'base64')) {
      return `[]byte(${quote(Buffer.from(String(value), 'base64').toString())})`
    }
    const decl = this.types.target(type)
    if (decl?.kind !== 'enum') return scalar(value)
    const index = decl.values.indexOf(value as string)
    return this.#own(valueNames(this.types.name(decl.id), decl.values)[index] ?? '')
  }

  /** A name of the package, as importers write it. */
  #own(name: string): string {
    return `${this.#goPackage}.${name}`
  }
}

/** The function that makes the value of a parameter, whose zero is left out; null where none is needed. */
function parameterMaker({ value }: Given, field: Field): string | null {
  return typeof value === 'boolean' && !isRequired(field) ? 'Ptr' : null
}

/** The function that makes the value of a field of a body. A number says which one it is. */
function fieldMaker(field: Field, types: Types): string | null {
  const type = fieldType(field, null, types)
  if (type.startsWith('Optional[')) return type.replace('Optional', 'Some')
  if (!type.startsWith('*')) return null
  return /^\*(?:int64|float64)$/.test(type) ? `Ptr[${type.slice(1)}]` : 'Ptr'
}

function scalar(value: Given['value']): string {
  return typeof value === 'boolean' ? String(value) : literal(value)
}
