import type { SignatureMark } from '../contract/extensions.ts'
import { isObject, object, sortedEntries } from '../contract/json.ts'
import type { Signature, Webhook } from '../model/types.ts'
import { words } from '../model/words.ts'
import { assumedOf, type Context, docOf, examplesOf, stabilityOf } from './context.ts'
import type { Declarations } from './declarations.ts'
import { chooseMedia } from './media.ts'
import type { Schemas } from './schemas.ts'
import { turnOf } from './turns.ts'

/** The events that the document describes, by kind. */
export function webhooksOf(context: Context, schemas: Schemas): Webhook[] {
  const stability = stabilityOf(context.document, 'stable')
  const order = Object.keys(object(context.document.webhooks))
  const webhooks = sortedEntries(context.document.webhooks).flatMap(([event, node]) => {
    context.owner = `webhook ${event}`
    const item = context.resolve(node)
    const operation = object(item.post)
    if (!isObject(operation.requestBody)) {
      const fix = 'Describe a POST with a body, or remove the event'
      context.unsupported(item, undefined, `the event ${event} is not a POST with a body`, fix)
      return []
    }
    const body = context.resolve(operation.requestBody)
    const chosen = chooseMedia(body.content, 'response', body, context)
    if (!chosen) return []
    const { contentType, media } = chosen
    const path = ['webhooks', event, 'post', 'requestBody', 'content', contentType, 'schema']
    const name = words(event)
    return [
      {
        event,
        turn: turnOf('x-sample' in item ? item : operation, order.indexOf(event)),
        name,
        contentType,
        payload: schemas.use(media.schema, [...name, 'Event'], path),
        stability: stabilityOf(operation, stability),
        doc: docOf(operation, typeof operation.summary === 'string' ? operation.summary : null),
        examples: examplesOf(media, context),
      },
    ]
  })
  context.owner = null
  return webhooks
}

/** The fields of every event besides its kind. A verifier refuses an event without them. */
const ENVELOPE = ['id', 'occurred_at', 'data']
const CHECKED: ReadonlySet<string> = new Set(['event', ...ENVELOPE])

/** The types that a verifier expects. A named type may be either. */
const FORMS: Readonly<Record<string, { name: string; kinds: ReadonlySet<string> }>> = {
  id: { name: 'string', kinds: new Set(['string', 'ref']) },
  data: { name: 'object', kinds: new Set(['map', 'ref', 'any']) },
}

/** A verifier relies on the envelope, and the constant in `event` is the kind of an event. */
export function checkEnvelopes(
  webhooks: readonly Webhook[],
  declarations: Declarations,
  context: Context,
): void {
  for (const { event, payload } of webhooks) {
    const envelope = declarations.index.model(payload)
    const fields = envelope ? declarations.index.fields(envelope) : []
    const node = object(object(context.document.webhooks)[event])
    const kind = fields.find(({ wire }) => wire === 'event')
    if (kind?.type.kind !== 'literal' || kind.type.value !== event) {
      const message = `the payload of ${event} does not hold its kind as a constant`
      context.error(node, undefined, message, `Give its field "event" the const "${event}"`)
    }
    const missing = ENVELOPE.filter((wire) => !fields.some((field) => field.wire === wire))
    if (missing.length > 0) {
      const message = `the payload of ${event} lacks ${missing.join(', ')}`
      const fix = 'Add the fields that a verifier checks, or remove x-webhook-signature'
      context.error(node, undefined, message, fix)
    }
    const loose = fields.filter(
      ({ wire, presence }) => CHECKED.has(wire) && presence === 'optional',
    )
    if (loose.length > 0) {
      const names = loose.map(({ wire }) => wire).join(', ')
      const fix = 'Add it to "required": a verifier refuses a delivery without it'
      context.error(node, undefined, `the payload of ${event} does not require ${names}`, fix)
    }
    for (const { wire, type } of fields) {
      const fits = FORMS[wire]
      if (!fits || fits.kinds.has(type.kind === 'primitive' ? type.type : type.kind)) continue
      const message = `${wire} in the payload of ${event} must be of type ${fits.name}`
      context.error(node, undefined, message, `Change its type: a verifier refuses any other`)
    }
  }
}

/** How deliveries are signed, where the document says so. */
export function signatureOf(context: Context): Signature | null {
  const node = context.document['x-webhook-signature']
  if (!isObject(node)) return null
  const mark = node as unknown as SignatureMark
  return {
    header: mark.header,
    eventHeader: mark.event_header,
    prefix: mark.prefix,
    encodings: mark.encodings.values,
    assumed: assumedOf(mark.encodings),
  }
}
