import { object, pointerOf } from '../../contract/json.ts'
import type { Field, Webhook } from '../../model/types.ts'
import { match } from './match.ts'
import type { Side } from './side.ts'
import type { Types } from './types.ts'

/** Compares the events and how their deliveries are signed. */
export function compareEvents(types: Types): void {
  for (const finding of matchEvents(types.before, types.after).removed) {
    add(types, 'event-removed', finding, null)
  }
  const { pairs, added } = matchEvents(types.before, types.after)
  for (const webhook of added) add(types, 'event-added', null, webhook)
  for (const { before, after, renamed } of pairs) {
    if (renamed) {
      add(types, 'event-renamed', before, after, {
        from: before.event,
        to: after.event,
        certain: renamed === 'certain',
      })
    }
    if (!before.doc.deprecated && after.doc.deprecated) {
      add(types, 'event-deprecated', before, after)
    }
    if (before.doc.text !== after.doc.text) {
      add(types, 'event-documentation-changed', before, after)
    }
    types.compare(before.payload, after.payload, {
      direction: 'event',
      prefix: 'event',
      key: `event ${before.event}`,
      subject: { of: 'event', webhook: before },
      before: pointerTo(before),
      after: pointerTo(after),
      users: () => [`webhook ${after.event}`],
    })
  }
  compareSignatures(types)
}

/** The fields that hold the kinds of events that have another name. */
export function kindFields(before: Side, after: Side): Field[] {
  const renamed = matchEvents(before, after).pairs.filter(({ renamed }) => renamed !== null)
  const fieldsOf = ({ payload, event }: Webhook, { index }: Side) => {
    const model = index.model(payload)
    const isKind = ({ type }: Field) => type.kind === 'literal' && type.value === event
    return model ? index.fields(model).filter(isKind) : []
  }
  return renamed.flatMap((pair) => [
    ...fieldsOf(pair.before, before),
    ...fieldsOf(pair.after, after),
  ])
}

function matchEvents(before: Side, after: Side) {
  return match(before.api.webhooks, after.api.webhooks, {
    name: ({ event }) => event,
    oldName: (webhook) => {
      const item = object(after.at(pointerTo(webhook)))
      return item['x-renamed-from'] ?? object(item.post)['x-renamed-from']
    },
    areAlike: (a, b) => JSON.stringify(a.payload) === JSON.stringify(b.payload),
  })
}

function add(
  types: Types,
  kind: string,
  before: Webhook | null,
  after: Webhook | null,
  renamed?: { from: string; to: string; certain: boolean },
): void {
  const webhook = (before ?? after) as Webhook
  types.findings.add({
    kind,
    key: `event ${webhook.event}`,
    before: before && pointerTo(before),
    after: after && pointerTo(after),
    subject: { of: 'event', webhook },
    named: before ? 'before' : 'after',
    values: { ...(before && { before: before.event }), ...(after && { after: after.event }) },
    users: [`webhook ${(after ?? webhook).event}`],
    ...(renamed && { renamed }),
  })
}

function pointerTo({ event }: Webhook): string {
  return pointerOf(['webhooks', event])
}

function compareSignatures({ before, after, findings }: Types): void {
  const [old, now] = [before.api.signature, after.api.signature]
  const users = after.api.webhooks.map(({ event }) => `webhook ${event}`)
  const pointer = '/x-webhook-signature'
  const found = (kind: string, from?: string, to?: string) =>
    findings.add({
      kind,
      key: 'signature',
      before: old ? pointer : null,
      after: now ? pointer : null,
      subject: { of: 'other', name: 'signature' },
      named: 'before',
      values: { ...(from && { before: from }), ...(to && { after: to }) },
      users,
    })
  if (!old && now && before.api.webhooks.length > 0) found('signature-added')
  if (!old || !now) return
  if (old.header.toLowerCase() !== now.header.toLowerCase()) {
    found('signature-header-renamed', old.header, now.header)
  }
  if (old.eventHeader.toLowerCase() !== now.eventHeader.toLowerCase()) {
    found('event-header-renamed', old.eventHeader, now.eventHeader)
  }
  const list = (encodings: readonly string[]) => encodings.join(', ')
  const [was, is] = [list(old.encodings), list(now.encodings)]
  if (old.assumed !== null && now.assumed === null) found('signature-encoding-settled', was, is)
  else if (was !== is) found('signature-encoding-changed', was, is)
}
