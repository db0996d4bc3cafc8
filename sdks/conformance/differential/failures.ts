import type { ScriptedResponse } from '../runner/case.ts'
import type { Fields, Value } from '../runner/json.ts'
import type { Random } from './random.ts'
import { mutated } from './text.ts'
import { oddJson, type Values } from './values.ts'

const DELAYS = '0,1, 2 ,1.5,-1,60,61,1e1,0x1,+3,01,,soon,Infinity,1_0,.5,5.'.split(',')
const MILLISECONDS = '0,1,1500,0.5,-1,x,,60001, 20 ,1e3'.split(',')

const DATES = [
  'Mon, 02 Mar 2026 09:00:05 GMT',
  'Monday, 02-Mar-26 09:00:05 GMT',
  'Mon Mar  2 09:00:05 2026',
  'Mon, 02 Mar 2026 08:00:00 GMT',
  'Mon, 02 Mar 2026 09:00:05',
  '2026-03-02T09:00:05Z',
  'Tue, 02 Mar 2026 09:00:05 GMT',
  'Mon, 32 Mar 2026 09:00:05 GMT',
  'Mon, 2 Mar 2026 09:00:05 GMT',
  'Mon, 02 Mar 2026 09:00:05 +0000',
  'mon, 02 mar 2026 09:00:05 gmt',
]

const TARGETS =
  '/v2|https://other.example/x|//other.example|http://u:p@x/||not a url|ftp://x/y|?a=b'.split('|')

const REQUEST_IDS = ['req_1', '', ' ', 'a b', 'a,b', ['a', 'b'], 'x'.repeat(99)]

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/json; charset=utf-16',
  'text/html',
  'text/plain; charset=latin1',
  'application/octet-stream',
  'nonsense',
  '',
]

/** A response that is not what the call hoped for, with odd headers and an odd body. */
export function failure(random: Random, values: Values): ScriptedResponse {
  const status = random.pick([
    ...[
      300, 301, 303, 304, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 422, 422,
    ],
    ...[425, 429, 429, 451, 499, 500, 501, 502, 503, 503, 504, 505, 511, 529, 599],
  ])
  const given: Record<string, () => string | string[]> = {
    'retry-after': () => random.pick<string | string[]>([...DELAYS, ...DATES, ['1', '30']]),
    'retry-after-ms': () => random.pick(MILLISECONDS),
    location: () => random.pick(TARGETS),
  }
  const headers = {
    ...requestId(random),
    ...random.part(given, 0.3),
    ...(random.chance(0.3) && type(random)),
  }
  const body = random.pick<() => ScriptedResponse>([
    () => ({ json: problem(random, values) }),
    () => ({ json: { error: problem(random, values) } }),
    () => ({
      json: {
        ...problem(random, values),
        error: random.pick<Value>([problem(random, values), values.any(1)]),
      },
    }),
    () => ({ json: values.any() }),
    () => ({ text: values.text().replace('\u0085', '') }),
    () => ({ text: mutated(random, oddJson(random, problem(random, values))) }),
    () => ({ text: '' }),
  ])()
  return { status, headers, ...(status === 304 ? {} : body) }
}

function problem(random: Random, values: Values): Fields {
  const text = () =>
    random.chance(0.15)
      ? values.any(0)
      : random.pick(['Too large', 'must be <= 100', values.text()])
  const reason = (): Value =>
    random.chance(0.15)
      ? values.any(0)
      : random.part<Value>(
          {
            parameter: () => random.pick<Value>(['limit', '', values.any(0)]),
            pointer: () =>
              random.pick<Value>([
                '/text',
                '/',
                '',
                '//',
                '/a/0/b',
                'text',
                '#/text',
                values.any(0),
              ]),
            message: text,
            detail: text,
          },
          0.6,
        )
  return random.part<Value>(
    {
      ...{ type: () => 'about:blank', title: text, detail: text, message: text, code: text },
      request_id: () => random.pick<Value>(['req_body', values.any(0)]),
      status: () => values.any(0),
      errors: () => (random.chance(0.15) ? values.any(1) : random.some(5, reason)),
    },
    0.5,
  )
}

export function requestId(random: Random): Record<string, string | string[]> {
  return random.part({ 'x-request-id': () => random.pick(REQUEST_IDS) }, 0.4)
}

/** A content type that may say nothing about the body. */
export function type(random: Random): Record<string, string> {
  return { 'content-type': random.pick(TYPES) }
}
