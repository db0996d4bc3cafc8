import { type Change, delivery, envelope, OTHER_SECRET, SECRET } from './delivery.ts'
import type { Vector } from './vectors.ts'

/** Requests to a receiver, sequential or concurrent, and their outcome. */
export interface ReceiverCase {
  id: string
  /** The rule, as a sentence. */
  rule: string
  secrets: string[]
  maxBodyBytes?: number
  /** `memory` is the store of the SDK; the others fail in the method that they name. */
  store: 'none' | 'memory' | 'begin fails' | 'done fails' | 'release fails'
  /** The outcomes of the handler, call by call; the last applies to all further calls. */
  handler: Array<'returns' | 'raises'>
  /** Whether the error hook raises. */
  hookRaises?: true
  steps: Step[]
  /** The event ids that the handler received, in order. */
  handled: string[]
  /** The errors that the hook received, in order: codes, `handler`, `store` and `in_progress`. */
  errors: string[]
}

export interface Step {
  /** Seconds to advance the store's clock before the request. */
  after?: number
  method: string
  body: Vector['body']
  headers: Vector['headers']
  /** The handler of this request returns only after the next step. */
  held?: true
  status: number
  /** The value of `Allow`, if any. */
  allow?: string
}

/** The status that a receiver returns for each result of a vector. */
export const statuses: Readonly<Record<string, number>> = {
  ok: 204,
  missing_secret: 500,
  payload_too_large: 413,
  body_already_parsed: 500,
  missing_signature: 401,
  duplicate_header: 401,
  malformed_signature: 401,
  unsupported_algorithm: 401,
  signature_mismatch: 401,
  invalid_encoding: 400,
  invalid_json: 400,
  invalid_envelope: 400,
  event_mismatch: 400,
  stale_event: 400,
}

const ID = envelope.id
const LEASE = 300
const KEPT = 172_800

type Sent = Omit<Partial<Step>, 'body' | 'headers'> & Change

/** A request with a valid delivery, except for the given changes. */
function request(status: number, { after, method = 'POST', held, allow, ...change }: Sent): Step {
  const { body, headers } = delivery('', 'ok', '', change)
  return {
    ...(after === undefined ? {} : { after }),
    method,
    body,
    headers,
    ...(held ? { held } : {}),
    status,
    ...(allow === undefined ? {} : { allow }),
  }
}

const right = (status: number, more: Sent = {}) => request(status, more)
const another = (status: number, id: string) => request(status, { body: { ...envelope, id } })

type Usual = 'secrets' | 'store' | 'handler' | 'errors'

function receiver(
  id: string,
  rule: string,
  rest: Omit<ReceiverCase, 'id' | 'rule' | Usual> & Partial<Pick<ReceiverCase, Usual>>,
): ReceiverCase {
  return {
    id,
    rule,
    secrets: [SECRET],
    store: 'memory',
    handler: ['returns'],
    errors: [],
    ...rest,
  }
}

const verification = [
  receiver('right', 'A valid delivery is handled and returns 204.', {
    store: 'none',
    steps: [right(204)],
    handled: [ID],
  }),
  receiver('rotation', 'During a rotation, a delivery signed with either secret is handled.', {
    secrets: [OTHER_SECRET, SECRET],
    steps: [
      right(204),
      request(204, { body: { ...envelope, id: 'evt_2' }, signedWith: OTHER_SECRET }),
    ],
    handled: [ID, 'evt_2'],
  }),
  receiver('refused', 'A refused delivery reaches neither the handler nor the store.', {
    steps: [request(401, { signedWith: OTHER_SECRET }), right(204)],
    handled: [ID],
    errors: ['signature_mismatch'],
  }),
  receiver('hook-raises', 'A failing error hook does not change the response.', {
    hookRaises: true,
    steps: [request(401, { signature: null }), right(204)],
    handled: [ID],
    errors: ['missing_signature'],
  }),
  receiver('future', 'An unknown kind reaches the handler.', {
    steps: [request(204, { body: { ...envelope, event: 'future.event' }, event: 'future.event' })],
    handled: [ID],
  }),
  receiver('beyond-ascii', 'The event header is UTF-8.', {
    steps: [
      request(204, { body: { ...envelope, event: 'café.ouvert' }, event: 'café.ouvert' }),
      request(400, {
        body: { ...envelope, event: 'café.ouvert', id: 'evt_2' },
        event: 'café.fermé',
      }),
    ],
    handled: [ID],
    errors: ['event_mismatch'],
  }),
  receiver('empty-body', 'An empty body is checked like any other.', {
    steps: [request(400, { body: '' })],
    handled: [],
    errors: ['invalid_json'],
  }),
  receiver('limit', 'A body at the limit is handled; one byte more is refused.', {
    maxBodyBytes: Buffer.byteLength(JSON.stringify(envelope)),
    steps: [
      right(204),
      request(413, { body: `${JSON.stringify({ ...envelope, id: 'evt_2' })}${' '.repeat(20)}` }),
    ],
    handled: [ID],
    errors: ['payload_too_large'],
  }),
  receiver('limit-far', 'A body far beyond the limit is refused without being buffered.', {
    store: 'none',
    steps: [
      request(413, { body: `${JSON.stringify(envelope)}${' '.repeat(4_194_304)}` }),
      right(204),
    ],
    handled: [ID],
    errors: ['payload_too_large'],
  }),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
    receiver(`method-${method}`, `${method} returns 405 with the allowed method.`, {
      steps: [request(405, { method, body: '', allow: 'POST' }), right(204)],
      handled: [ID],
    }),
  ),
]

const withoutStore = [
  receiver('no-store', 'Without a store, a duplicate is handled again.', {
    store: 'none',
    steps: [right(204), right(204)],
    handled: [ID, ID],
  }),
  receiver('no-store-fails', 'A failed handler returns 503, so that the service delivers again.', {
    store: 'none',
    handler: ['raises', 'returns'],
    steps: [right(503), right(204)],
    handled: [ID, ID],
    errors: ['handler'],
  }),
]

const deduplication = [
  receiver('duplicate', 'A duplicate of a handled event returns 204 without calling the handler.', {
    steps: [right(204), right(204), another(204, 'evt_2'), right(204)],
    handled: [ID, 'evt_2'],
  }),
  receiver('duplicate-in-other-bytes', 'Only the event id in the body identifies a duplicate.', {
    steps: [right(204), request(204, { body: { ...envelope, data: {} } })],
    handled: [ID],
  }),
  receiver('released', 'An event whose handler failed is handled again.', {
    handler: ['raises', 'raises', 'returns'],
    steps: [right(503), right(503), right(204), right(204)],
    handled: [ID, ID, ID],
    errors: ['handler', 'handler'],
  }),
  receiver('in-progress', 'A duplicate of an event in progress returns 503.', {
    steps: [right(204, { held: true }), right(503), right(204)],
    handled: [ID],
    errors: ['in_progress'],
  }),
  receiver('others-continue', 'Another event does not wait for the one in progress.', {
    steps: [right(204, { held: true }), another(204, 'evt_2')],
    handled: [ID, 'evt_2'],
  }),
  receiver('in-progress-fails', 'A duplicate during a handler that then fails is not lost.', {
    handler: ['raises', 'returns'],
    steps: [right(503, { held: true }), right(503), right(204)],
    handled: [ID, ID],
    errors: ['in_progress', 'handler'],
  }),
  receiver('lease-holds', 'A lease holds until it expires.', {
    steps: [right(204, { held: true }), right(503, { after: LEASE - 1 })],
    handled: [ID],
    errors: ['in_progress'],
  }),
  receiver(
    'lease-ends',
    'After a lease expires, the event is handled again: its handler may be dead.',
    {
      steps: [right(204, { held: true }), right(204, { after: LEASE + 1 }), right(204)],
      handled: [ID, ID],
    },
  ),
  receiver('late-failure', 'A handler that fails after its lease expired changes nothing.', {
    handler: ['raises', 'returns'],
    steps: [right(503, { held: true }), right(204, { after: LEASE + 1 }), right(204)],
    handled: [ID, ID],
    errors: ['handler'],
  }),
  receiver('kept', 'A handled event is remembered for two days.', {
    steps: [right(204), right(204, { after: KEPT - 1 })],
    handled: [ID],
  }),
  receiver('forgotten', 'After two days a handled event is forgotten.', {
    steps: [right(204), right(204, { after: KEPT + 1 })],
    handled: [ID, ID],
  }),
]

const brokenStore = [
  receiver('begin-fails', 'A receiver whose store fails handles nothing.', {
    store: 'begin fails',
    steps: [right(503)],
    handled: [],
    errors: ['store'],
  }),
  receiver('done-fails', 'An event that the store fails to keep returns 503.', {
    store: 'done fails',
    steps: [right(503)],
    handled: [ID],
    errors: ['store'],
  }),
  receiver('release-fails', 'When the store fails after the handler, both errors are reported.', {
    store: 'release fails',
    handler: ['raises'],
    steps: [right(503)],
    handled: [ID],
    errors: ['handler', 'store'],
  }),
]

export const receivers: readonly ReceiverCase[] = [
  ...verification,
  ...withoutStore,
  ...deduplication,
  ...brokenStore,
]
