/**
 * Prism's verdict at a fraction of its time: a validator for each part of an operation's request,
 * compiled when the first request comes. Prism's special cases (forms, lists and
 * objects in parameters, merged schemas) are left to Prism.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isJson, parseMediaType } from '../door/media-type.ts'
import { parametersOf } from '../door/router.ts'
import { addFormats, addLengths } from './formats.ts'
import type { Operation } from './load.ts'
import { byPrism, type Check, type CleanRequest, type Finding } from './validate.ts'

type Part = 'path' | 'query' | 'header'
type Values = Record<string, string>

/** A parameter as Prism describes it. */
interface Parameter {
  name: string
  required?: boolean
  schema?: { type?: unknown }
}

// The schemas of a contract were checked when it was loaded.
const OPTIONS = {
  allErrors: true,
  strict: false,
  logger: false,
  validateSchema: false,
} as const
const ajv = new Ajv2020(OPTIONS)
// Values in a URL or a header are text. The schema gives their type.
const ajvOfTexts = new Ajv2020({ ...OPTIONS, coerceTypes: true })
for (const one of [ajv, ajvOfTexts]) {
  addFormats(one)
  addLengths(one)
}

const VALUES: Record<Part, (request: CleanRequest, operation: Operation) => Values> = {
  path: ({ target }, { path }) => parametersOf(path, target.path),
  query: ({ target }) => Object.fromEntries(target.query),
  header: ({ headers }) => headers as Values,
}

const checks = new WeakMap<Operation, Check>()

/** Stands in for {@link byPrism}. */
export const byCompiled: Check = (operation, request) => {
  const known = checks.get(operation)
  if (known) return known(operation, request)
  const check = compile(operation) ?? byPrism
  checks.set(operation, check)
  return check(operation, request)
}

/** The check of an operation's requests; null where only Prism can check them. */
export function compile({ prism }: Operation): Check | null {
  const { body, path = [], query = [], headers = [] } = prism.request ?? {}
  const parameters = [...path, ...query, ...headers] as Parameter[]
  const contents = body?.contents ?? []
  const isSimple =
    parameters.every(({ schema }) => isScalar(schema)) &&
    contents.length <= 1 &&
    contents.every(({ mediaType, schema }) => isJsonType(mediaType) && !MERGED.test(text(schema)))
  if (!isSimple) return null

  const parts = [
    ...partOf('path', path as Parameter[]),
    ...partOf('query', query as Parameter[]),
    ...partOf('header', headers as Parameter[]),
  ]
  const schema = contents[0]?.schema
  const validateBody = schema && compiled(ajv, schema)
  return (operation, request) => {
    const found: Finding[] = []
    const value = request.body?.value
    if (body?.required && !value) {
      found.push({ path: [], code: 'required', message: 'Body parameter is required' })
    } else if (validateBody && value !== undefined && value !== null && !validateBody(value)) {
      found.push(...findingsOf('body', validateBody))
    }
    for (const { part, validate, pick } of parts) {
      if (!validate(pick(VALUES[part](request, operation)))) {
        found.push(...findingsOf(part, validate))
      }
    }
    return found
  }
}

/** Compiles a schema without keeping it, since another contract may have one with the same `$id`. */
function compiled(by: Ajv2020, schema: object): ValidateFunction {
  try {
    return by.compile(schema)
  } finally {
    by.removeSchema(schema)
  }
}

/** The check of the parameters in one part of a request. Finds nothing where there are none. */
function partOf(part: Part, parameters: Parameter[]) {
  if (parameters.length === 0) return []
  const nameOf = ({ name }: Parameter) => (part === 'header' ? name.toLowerCase() : name)
  const names = parameters.map(nameOf)
  const validate = compiled(ajvOfTexts, {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(nameOf),
    properties: Object.fromEntries(parameters.map((one) => [nameOf(one), one.schema ?? {}])),
  })
  // An empty value counts as none. The validator writes into its input.
  const pick = (values: Values): Values => {
    const picked: Values = {}
    for (const name of names) {
      const value = values[name]
      if (value) picked[name] = value
    }
    return picked
  }
  return [{ part, validate, pick }]
}

function findingsOf(part: Part | 'body', { errors }: ValidateFunction): Finding[] {
  return (errors ?? []).map(({ instancePath, keyword, message = '', params }) => ({
    path: [part, ...instancePath.split('/').filter((step) => step !== '')],
    code: keyword,
    message: message + detailOf(params),
  }))
}

/** The parts that an error's message leaves out. */
function detailOf({
  allowedValues,
  additionalProperty,
  unevaluatedProperty,
}: ErrorObject['params']): string {
  if (allowedValues !== undefined) return `: ${allowedValues.join(', ')}`
  if (additionalProperty !== undefined) return `; found '${additionalProperty}'`
  return unevaluatedProperty === undefined ? '' : `: '${unevaluatedProperty}'`
}

/** Keywords for which Prism rewrites a schema, or looks elsewhere. */
const MERGED = /"(?:allOf|readOnly|\$ref)":/

function isScalar(schema: Parameter['schema']): boolean {
  const types = [schema?.type ?? 'array'].flat()
  return !types.includes('array') && !types.includes('object') && !MERGED.test(text(schema))
}

function isJsonType(mediaType: string): boolean {
  return isJson(parseMediaType(mediaType)?.essence ?? '')
}

function text(schema: unknown): string {
  return JSON.stringify(schema ?? {})
}
