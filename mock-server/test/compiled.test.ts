/** The compiled validators and Prism come to the same verdict on any request. */
import { readFile } from 'node:fs/promises'
import { bundle, createConfig, parseYaml } from '@redocly/openapi-core'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { byCompiled, compile } from '../src/contract/compiled.ts'
import { loadContract, type Operation } from '../src/contract/load.ts'
import { byPrism, type CleanRequest, validate } from '../src/contract/validate.ts'
import { CONTRACT, CONTROL } from './oracle-of.ts'
import { TRAPS } from './support.ts'

// `npm run soak` uses many more inputs, and others in each run. A failure prints its seed.
const SOAK = process.env.MODE === 'soak'
const SEED = 20_261_121

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Values that match a schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { type = 'object', oneOf, properties = {}, required = [], pattern, format } = schema
  const { minLength = 0, maxLength = 20, minimum = -100, maximum = 100, items = {} } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (oneOf) return fc.oneof(...oneOf.map(fitting))
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one })))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'array':
      return fc.array(fitting(items), { minLength: 1, maxLength: 3 })
    case 'object': {
      const members = Object.entries(properties).map(([name, one]) => [name, fitting(one)])
      return fc.record<Record<string, unknown>>(Object.fromEntries(members), {
        requiredKeys: required,
      })
    }
    default:
      if (format === 'uri') return fc.webUrl()
      // Without keywords that only annotate, which the generator does not support.
      if (pattern) return fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, '')))
      return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) })
  }
}

const JUNK = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, '', ' ', [], {}, [[]], '/~0~1'),
  fc.constantFrom('x'.repeat(201), 'x'.repeat(256), 'x'.repeat(10_001), '日本 📦', '\0', 'null'),
  fc.jsonValue({ maxDepth: 2 }),
)
const NAMES = fc.constantFrom('type', 'text', 'extra', '日本', 'a/b~c', '__proto__', 'toString', '')

type Edit = [
  at: number,
  action: 'replace' | 'remove' | 'add' | 'nest',
  name: string,
  value: unknown,
]
const EDITS: fc.Arbitrary<Edit[]> = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add', 'nest'), NAMES, JUNK),
  { maxLength: 3 },
)

/** Changes one location in a value. */
function edited(value: unknown, [at, action, name, junk]: Edit): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0 || at % 4 === 0) {
    if (action === 'nest') return { [name]: value }
    if (action === 'add' && keys.length > 0) return { ...(value as object), [name]: junk }
    return junk
  }
  const copy = structuredClone(value) as Record<string, unknown>
  const key = keys[at % keys.length] ?? ''
  if (action === 'remove') delete copy[key]
  else copy[key] = edited(copy[key], [Math.floor(at / 4), action, name, junk])
  return copy
}

const TEXTS = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '20',
    '100',
    '101',
    '-1',
    '1.5',
    '1e1',
    '0x1',
    ' 1',
    'true',
    'null',
  ),
  fc.constantFrom('open', 'OPEN', 'handed_off', 'dead', 'a,b', '日本', 'x'.repeat(256)),
  fc.string({ maxLength: 12 }),
)

/** Requests of an operation: valid ones, and ones with a few errors. */
function requestsOf(operation: Operation, document: Document): fc.Arbitrary<CleanRequest> {
  const { path, method, prism } = operation
  const { query = [], headers = [] } = prism.request ?? {}
  const body = bodyOf(document, operation)
  const bodies = body
    ? fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: JUNK },
        {
          weight: 20,
          arbitrary: fc
            .tuple(fitting(body), EDITS)
            .map(([value, edits]) => edits.reduce(edited, value)),
        },
      )
    : fc.constant(undefined)
  const names = fc.constantFrom(
    ...query.map(({ name }) => name),
    ...query.map(({ name }) => name.toUpperCase()),
    'other',
    '__proto__',
  )
  const ids = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  return fc
    .record({
      ids: fc.oneof(fc.constant('conv_1'), ids.map(encodeURIComponent)),
      query: fc.array(fc.tuple(names, TEXTS), { maxLength: 3 }),
      header: fc.option(TEXTS, { nil: undefined }),
      value: bodies,
    })
    .map(({ ids, query, header, value }) => ({
      target: { path: path.replaceAll(/\{[^}]*\}/g, ids.replaceAll('.', 'x')), query },
      headers: Object.fromEntries(headers.map(({ name }) => [name.toLowerCase(), header])),
      body:
        value === undefined || method === 'GET'
          ? undefined
          : {
              contentType: 'application/json',
              mediaType: { essence: 'application/json', parameters: {} },
              value,
            },
    }))
}

type Document = { paths: Record<string, Record<string, { requestBody?: { content: object } }>> }

function bodyOf({ paths }: Document, { path, method }: Operation): Schema | undefined {
  const content = paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {}
  return (content as Record<string, { schema: Schema }>)['application/json']?.schema
}

async function judge(operation: Operation, request: CleanRequest, check: typeof byPrism) {
  // Each gets its own copy, since a validator writes coerced values into its input.
  const { errors: reasons } = await validate(operation, structuredClone(request), check)
  return reasons.map((reason) => JSON.stringify(reason, Object.keys(reason).sort())).sort()
}

describe.each([
  ['the contract', CONTRACT, 3000, /./],
  ['the control', CONTROL, 500, /./],
])('for %s', (_, file, numRuns) => {
  let operations: Operation[]
  let document: Document
  beforeAll(async () => {
    const config = await createConfig({})
    const bundled = await bundle({ ref: file, config, dereference: true })
    document = bundled.bundle.parsed as Document
    operations = (await loadContract(file, '')).operations
  })

  it('every operation is compiled', () => {
    for (const operation of operations) expect(compile(operation), operation.path).not.toBeNull()
  })

  it('the reasons are exactly those of Prism', {
    timeout: SOAK ? 1_800_000 : 120_000,
  }, async () => {
    let refused = 0
    for (const operation of operations) {
      const property = fc.asyncProperty(requestsOf(operation, document), async (request) => {
        const theirs = await judge(operation, request, byPrism)
        const ours = await judge(operation, request, byCompiled)
        if (theirs.length > 0) refused++
        expect(ours).toEqual(theirs)
      })
      await fc.assert(property, SOAK ? { numRuns: numRuns * 50 } : { numRuns, seed: SEED })
    }
    // Both valid and invalid requests must be a fair share of those generated.
    const all = operations.length * numRuns * (SOAK ? 50 : 1)
    expect(refused / all).toBeGreaterThan(0.2)
    expect(refused / all).toBeLessThan(0.95)
  })
})

it('leaves special cases to Prism', async () => {
  const { operations } = await loadContract(parseYaml(await readFile(TRAPS, 'utf8')) as object, '')
  const left = operations.filter((operation) => compile(operation) === null)
  expect(left.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/things',
    'POST /v1/things',
  ])
})
