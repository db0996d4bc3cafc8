import { type Change, delivery, envelope, OTHER_SECRET, SECRET } from './delivery.ts'
import type { Vector } from './vectors.ts'

/** What a receiver makes of requests that come one after the other, or at once. */
export interface ReceiverCase {
  id: string
  /** The rule that the case shows, as a sentence. */
  rule: string
  secrets: string[]
  maxBodyBytes?: number
  /** `memory` is the SDK's own; another one fails in the method that it names. */
  store: 'none' | 'memory' | 'begin fails' | 'done fails' | 'release fails'
  /** What the handler does when it is called; the last holds for further calls. */
  handler: Array<'returns' | 'raises'>
  /** Whether the hook itself raises. */
  hookRaises?: true
  steps: Step[]
  /** The ids with which the handler was called, in order. */
  handled: string[]
  /** What the hook was told, in order: codes, `handler` and `store`. */
  errors: string[]
}

export interface Step {
  /** Seconds that pass on the store's clock before the request. */
  after?: number
  method: string
  body: Vector['body']
  headers: Vector['headers']
  /** The handler of this request returns only once the next step is through. */
  held?: true
  status: number
  /** The value of `Allow`; there is none where it is left out. */
  allow?: string
}

/** What a receiver answers to each vector. */
export const answers: Readonly<Record<string, number>> = {
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

/** A request with a right delivery but for what is said. */
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
  receiver('right', 'A right delivery is handled and answered with 204.', {
    store: 'none',
    steps: [right(204)],
    handled: [ID],
  }),
  receiver('rotation', 'During a rotation a delivery under either secret is handled.', {
    secrets: [OTHER_SECRET, SECRET],
    steps: [
      right(204),
      request(204, { body: { ...envelope, id: 'evt_2' }, signedWith: OTHER_SECRET }),
    ],
    handled: [ID, 'evt_2'],
  }),
  receiver('refused', 'A refused delivery reaches neither handler nor store.', {
    steps: [request(401, { signedWith: OTHER_SECRET }), right(204)],
    handled: [ID],
    errors: ['signature_mismatch'],
  }),
  receiver('hook-raises', 'A hook that fails changes no answer.', {
    hookRaises: true,
    steps: [request(401, { signature: null }), right(204)],
    handled: [ID],
    errors: ['missing_signature'],
  }),
  receiver('future', 'A kind that is newer than the SDK reaches the handler.', {
    steps: [request(204, { body: { ...envelope, event: 'future.event' }, event: 'future.event' })],
    handled: [ID],
  }),
  receiver('empty-body', 'A body without a byte is looked at as any other.', {
    steps: [request(400, { body: '' })],
    handled: [],
    errors: ['invalid_json'],
  }),
  receiver('limit', 'A body as large as the limit is handled, and one byte more is too much.', {
    maxBodyBytes: Buffer.byteLength(JSON.stringify(envelope)),
    steps: [
      right(204),
      request(413, { body: `${JSON.stringify({ ...envelope, id: 'evt_2' })}${' '.repeat(20)}` }),
    ],
    handled: [ID],
    errors: ['payload_too_large'],
  }),
  receiver('limit-far', 'A body far beyond the limit is refused without being kept.', {
    store: 'none',
    steps: [
      request(413, { body: `${JSON.stringify(envelope)}${' '.repeat(4_194_304)}` }),
      right(204),
    ],
    handled: [ID],
    errors: ['payload_too_large'],
  }),
  ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) =>
    receiver(`method-${method}`, `${method} is answered with the method that is allowed.`, {
      steps: [request(405, { method, body: '', allow: 'POST' }), right(204)],
      handled: [ID],
    }),
  ),
]

const withoutStore = [
  receiver('no-store', 'Without a store nothing is told apart: a repeat is handled again.', {
    store: 'none',
    steps: [right(204), right(204)],
    handled: [ID, ID],
  }),
  receiver('no-store-fails', 'What the handler fails to do is asked for again.', {
    store: 'none',
    handler: ['raises', 'returns'],
    steps: [right(503), right(204)],
    handled: [ID, ID],
    errors: ['handler'],
  }),
]

const deduplication = [
  receiver('duplicate', 'A repeat of what was handled is answered alike, without the handler.', {
    steps: [right(204), right(204), another(204, 'evt_2'), right(204)],
    handled: [ID, 'evt_2'],
  }),
  receiver('duplicate-in-other-bytes', 'The id inside the body tells, whatever else it holds.', {
    steps: [right(204), request(204, { body: { ...envelope, data: {} } })],
    handled: [ID],
  }),
  receiver('released', 'What the handler fails to do is handled again when it comes again.', {
    handler: ['raises', 'raises', 'returns'],
    steps: [right(503), right(503), right(204), right(204)],
    handled: [ID, ID, ID],
    errors: ['handler', 'handler'],
  }),
  receiver('in-progress', 'A repeat that comes while the first is handled shall come again.', {
    steps: [right(204, { held: true }), right(503), right(204)],
    handled: [ID],
  }),
  receiver('others-go-on', 'Another event does not wait for the one that is handled.', {
    steps: [right(204, { held: true }), another(204, 'evt_2')],
    handled: [ID, 'evt_2'],
  }),
  receiver('in-progress-fails', 'A repeat during a handler that then fails is not lost.', {
    handler: ['raises', 'returns'],
    steps: [right(503, { held: true }), right(503), right(204)],
    handled: [ID, ID],
    errors: ['handler'],
  }),
  receiver('lease-holds', 'A lease holds until its time is over.', {
    steps: [right(204, { held: true }), right(503, { after: LEASE - 1 })],
    handled: [ID],
  }),
  receiver(
    'lease-ends',
    'When a lease is over, the event is handled again: its handler may be dead.',
    {
      steps: [right(204, { held: true }), right(204, { after: LEASE + 1 }), right(204)],
      handled: [ID, ID],
    },
  ),
  receiver('late-failure', 'A handler that fails when its lease is over undoes nothing.', {
    handler: ['raises', 'returns'],
    steps: [right(503, { held: true }), right(204, { after: LEASE + 1 }), right(204)],
    handled: [ID, ID],
    errors: ['handler'],
  }),
  receiver('kept', 'What was handled is known for two days.', {
    steps: [right(204), right(204, { after: KEPT - 1 })],
    handled: [ID],
  }),
  receiver('forgotten', 'After two days it is forgotten.', {
    steps: [right(204), right(204, { after: KEPT + 1 })],
    handled: [ID, ID],
  }),
]

const brokenStore = [
  receiver('begin-fails', 'Without its store a receiver handles nothing.', {
    store: 'begin fails',
    steps: [right(503)],
    handled: [],
    errors: ['store'],
  }),
  receiver('done-fails', 'What the store does not keep shall come again.', {
    store: 'done fails',
    steps: [right(503)],
    handled: [ID],
    errors: ['store'],
  }),
  receiver('release-fails', 'Both failures are told when the store fails after the handler.', {
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
