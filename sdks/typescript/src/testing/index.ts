import { stringifyExact } from '../core/json.js'
import { merge, type Overrides } from '../fixtures/merge.js'
import type { EventKind, KnownEvent } from '../generated/events.js'
import { BaseError } from '../generated/names.js'
import { samples } from '../generated/samples.js'
import {
  parseEvent,
  SIGNATURE_ENCODINGS,
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  type SignatureEncoding,
} from '../generated/signature.js'
import type { UnknownEvent, UnlistedEvent, WebhookEvent } from '../webhooks/event.js'
import { sign } from '../webhooks/sign.js'

export type { Overrides } from '../fixtures/merge.js'
export { fixtures } from '../generated/fixtures.js'
export { WEBHOOKS_REFUSALS, WEBHOOKS_RESPONSES_HANDLED } from '../generated/policy.js'
export {
  SIGNATURE_ENCODINGS,
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../generated/signature.js'
export { checkDedupeStore, type MakeDedupeStore } from './dedupe.js'

/**
 * The kinds of fake events: those of the contract, and `future`. A `future` event has a kind that is
 * newer than this package, an unknown field and, where there is an enum, an unknown value.
 */
export type FakeKind = EventKind | 'future'

/** The event of a kind. `future` is a known one where the contract has a kind of this name. */
export type FakeEvent<Kind extends FakeKind> = Kind extends EventKind
  ? Extract<KnownEvent, { event: Kind }>
  : UnlistedEvent

/** The parts of an event that a fake one may replace. */
export type FakeOverrides<Kind extends FakeKind> = Overrides<
  Kind extends EventKind ? FakeEvent<Kind> : UnknownEvent
>

/**
 * Makes an event as `Webhooks` returns it: the example of the contract, with your overrides.
 *
 * @param overrides Parts of the whole envelope, for example `{ id: 'evt_2', data: { ... } }`.
 *   Objects are merged and lists replaced. Null is a value, and undefined changes nothing.
 * @throws {Error} for an unknown kind
 */
export function fakeEvent<Kind extends FakeKind>(
  kind: Kind,
  overrides?: FakeOverrides<Kind>,
): FakeEvent<Kind> {
  requireOneOf('kind', Object.keys(samples), kind)
  return parseEvent(stringifyExact(merge(parseEvent(samples[kind]), overrides))) as FakeEvent<Kind>
}

/** The options of a fake delivery. */
export interface FakeDeliveryOptions<Kind extends FakeKind> {
  /** Signs the delivery. */
  secret: string
  /** Parts of the whole envelope, as `fakeEvent` takes them. */
  overrides?: FakeOverrides<Kind> | undefined
  /**
   * How the digest is written.
   *
   * @default that of `Webhooks.sign`
   */
  signatureEncoding?: SignatureEncoding | undefined
}

/** Headers and body of a POST, for `new Request(url, { method: 'POST', ...delivery })`. */
export interface FakeDelivery {
  /** The JSON of the event. */
  body: Bytes
  headers: Record<string, string>
}

/** `Uint8Array`, and from TypeScript 5.7 on, one that is not shared, as `fetch` requires. */
type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>

/**
 * Makes a delivery with a valid signature, as the service sends it. Equal calls return equal bytes.
 *
 * @throws {WebhookVerificationError} `missing_secret`
 * @throws {Error} for an unknown kind or encoding
 */
export async function fakeDelivery<Kind extends FakeKind>(
  kind: Kind,
  { secret, overrides, signatureEncoding }: FakeDeliveryOptions<Kind>,
): Promise<FakeDelivery> {
  const encoding = signatureEncoding ?? SIGNATURE_ENCODINGS[0]
  requireOneOf('signatureEncoding', SIGNATURE_ENCODINGS, encoding)
  const event: WebhookEvent = fakeEvent(kind, overrides)
  const body = new TextEncoder().encode(stringifyExact(event))
  const headers = {
    'content-type': 'application/json',
    [SIGNATURE_HEADER]: await sign(body, secret, encoding),
    [SIGNATURE_EVENT_HEADER]: event.event,
  }
  return { body, headers }
}

function requireOneOf(what: string, known: readonly string[], given: string): void {
  if (known.includes(given)) return
  throw new BaseError(`There is no ${what} ${JSON.stringify(given)}, only ${known.join(', ')}.`)
}
