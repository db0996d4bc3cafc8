import type { Call, Exchange, Located, ScriptedResponse } from '../runner/case.ts'
import { type Fields, readJson, type Value } from '../runner/json.ts'
import { GET, LIST, operation, request } from './calls.ts'
import { failure, requestId, type } from './failures.ts'
import { Random } from './random.ts'
import { mutated, oddTime } from './text.ts'
import { oddJson, Values } from './values.ts'

/** A call with its responses, as a case without expectations. */
export interface Scenario extends Located {
  /** The members of the outcome in which a client differs for a reason that a case records. */
  ignored: Ignored
}

type Ignored = Readonly<Record<string, readonly string[]>>

/** Go's lists and maps hold values of one type. */
const GO: Ignored = { go: ['results'] }

/** TypeScript returns JSON of any type as it came. */
const TYPESCRIPT: Ignored = { typescript: ['results', 'mismatches', 'levels'] }

interface Made {
  client?: Fields
  call: Call
  responses: ReadonlyArray<ScriptedResponse>
  ignored?: Ignored
}

type Make = (random: Random, values: Values) => Made

/** Headers of which an HTTP client has its own. */
const OWN = new Set(['User-Agent', 'Accept', 'Content-Type'])

const JSON_TYPE = { 'content-type': 'application/json' }

const MAKERS: Readonly<Record<string, Make>> = {
  object: (random, values) => {
    const probe = values.probe()
    return {
      client: { on_mismatch: 'collect', ...(random.chance(0.15) && { strict: true }) },
      call: {
        ...GET,
        ...random.part<'raw' | 'request_id'>(
          { take: () => random.pick(['raw', 'request_id']) },
          0.2,
        ),
      },
      responses: [
        { headers: { ...JSON_TYPE, ...requestId(random) }, text: oddJson(random, probe) },
      ],
      ignored: unfit(probe) ? GO : {},
    }
  },
  pages: (random, values) => {
    const pages = [1, 2, 3].map((number) => page(random, values, number))
    return {
      client: { on_mismatch: 'collect', ...(random.chance(0.1) && { strict: true }) },
      call: {
        ...LIST,
        take: random.pick<NonNullable<Call['take']>>([
          'all',
          'page',
          'pages',
          'next',
          1,
          3,
          { list: null },
          { list: 2 },
        ]),
        ...(random.chance(0.2) && { params: { cursor: 'c0' } }),
      },
      responses: pages.map((json) => ({ headers: requestId(random), json })),
      ignored: pages.some(unfit) ? GO : {},
    }
  },
  error: (random, values) => {
    const responses = [failure(random, values), failure(random, values), failure(random, values)]
    const contents = responses.map(contentOf)
    return {
      client: { max_retries: random.below(3), on_mismatch: 'collect' },
      call: operation(random),
      responses,
      ignored: {
        ...(contents.some(unfit) && GO),
        // TypeScript reads large integers exactly where the contract of the operation has them.
        ...(contents.some(hasLarge) && { typescript: ['results'] }),
      },
    }
  },
  framing: (random, values) => {
    const x = random.pick<Value>([null, true, 1.5, values.text(), [values.text()], { a: 1, b: [] }])
    const text = mutated(random, oddJson(random, { id: 'p1', kind: 'plain', x }))
    return {
      client: { max_retries: 0 },
      call: GET,
      responses: [{ status: random.pick([200, 200, 201, 203, 206]), headers: type(random), text }],
      ignored: /^\s*\{/.test(text) ? {} : TYPESCRIPT,
    }
  },
  times: (random) => {
    const at = oddTime(random)
    return {
      client: { on_mismatch: 'collect' },
      call: GET,
      responses: [{ json: { id: 'p1', kind: 'plain', at } }],
      // Times stay strings in TypeScript, and lose their spelling in Go.
      ignored: { ...GO, typescript: ['mismatches', 'levels'] },
    }
  },
  request: (random, values) => ({
    call: request(random, values),
    responses: [{ json: { id: 'p1', kind: 'plain', data: [] } }],
  }),
  headers: (random) => {
    const names = [
      'X-Team',
      'User-Agent',
      'Accept',
      'Authorization',
      'Idempotency-Key',
      'Content-Type',
      'X-Trace',
      'Cookie',
    ]
    const given = () =>
      Object.fromEntries(
        random
          .some(
            3,
            () => [random.pick(names), random.pick([null, 'a', '', ' b ', 'c,d', 'e\tf'])] as const,
          )
          // An HTTP client sends its own value in place of a header that is removed or empty.
          .filter(([name, value]) => value || !OWN.has(name)),
      )
    return {
      client: { default_headers: given() },
      call: { ...operation(random), options: { headers: given() } },
      responses: [{ json: { id: 'p1', kind: 'plain', data: [] } }],
    }
  },
}

export const FAMILIES: readonly string[] = Object.keys(MAKERS)

/** Returns the scenario of a seed. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed)
  const family = FAMILIES[seed % FAMILIES.length] as string
  const { responses, ignored = {}, ...made } = (MAKERS[family] as Make)(random, new Values(random))
  const exchanges: Exchange[] = responses.map((response) => ({ response }))
  const name = `${family} ${seed}`
  return { ...made, ignored, exchanges, name, id: `differential/${name}`, family, file: '' }
}

function page(random: Random, values: Values, number: number): Fields {
  const items = random.some(3, () => (random.chance(0.1) ? values.any(1) : values.probe(0)))
  const cursors: Array<() => Value> = [
    () => `c${number}`,
    () => `c${random.below(3)}`,
    () => values.text(),
    () => values.integer(),
    () => random.pick<Value>([null, 0, 0.5, true, false, {}, [], ['c1'], { after: 'c1' }]),
  ]
  return {
    ...(random.chance(0.95) && { data: items }),
    ...(random.chance(0.9) && { next_cursor: random.pick(cursors)() }),
    ...(random.chance(0.2) && { has_more: values.any(0) }),
  }
}

/** The JSON value of a response, or null. */
function contentOf({ json, text = '' }: ScriptedResponse): Value {
  try {
    return json ?? readJson(text)
  } catch {
    return null
  }
}

/**
 * Whether Go cannot hold a value: lists and maps of text with other values, lists of objects with others,
 * and floating-point numbers beyond 2^53.
 */
function unfit(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(unfit)
  const held = value as Record<string, Value>
  const contents = (names: readonly string[]) => names.flatMap((name) => contentsOf(held[name]))
  return (
    contents(['tags', 'labels']).some((text) => typeof text !== 'string') ||
    contents(['data', 'errors']).some((item) => !isObject(item)) ||
    ['ratio', 'radius', 'side'].some((name) => typeof held[name] === 'bigint') ||
    Object.values(held).some(unfit)
  )
}

function hasLarge(value: Value): boolean {
  return typeof value === 'bigint' || contentsOf(value).some(hasLarge)
}

function contentsOf(held: Value | undefined): Value[] {
  return typeof held === 'object' && held !== null ? Object.values(held) : []
}

function isObject(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
