import { indexOf } from '../../model/index.ts'
import { idsOf, reachableFrom } from '../../model/reach.ts'
import type { Api, Example, Signature, Webhook } from '../../model/types.ts'
import { listed } from '../core/comment.ts'
import { describe, documentation, type Json, present } from './json.ts'
import { declare, pointer, use } from './schemas.ts'

const SIGNED = { $ref: '#/components/messageTraits/signed' }

/**
 * The service sends every kind of event to one address, an endpoint of the reader's: one channel,
 * one operation and a message for each kind.
 */
export function documentOf(api: Api): Json {
  const { title, version, description, webhooks, signature } = api
  return present({
    asyncapi: '3.0.0',
    info: present({ title, version, description }),
    defaultContentType: 'application/json',
    channels: {
      webhooks: {
        address: null,
        description: 'Your endpoint, at the URL that you registered with the service.',
        messages: Object.fromEntries(
          webhooks.map((webhook) => [webhook.event, messageOf(webhook, signature)]),
        ),
      },
    },
    operations: {
      deliver: present({
        action: 'send',
        channel: { $ref: '#/channels/webhooks' },
        description: 'Each event is an HTTP POST.',
        security: signature && [{ $ref: '#/components/securitySchemes/signature' }],
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        messages: webhooks.map(({ event }) => ({
          $ref: pointer('channels', 'webhooks', 'messages', event),
        })),
      }),
    },
    components: present({
      securitySchemes: signature && { signature: securityScheme(signature) },
      messageTraits: signature && { signed: signedTrait(signature) },
      schemas: schemasOf(api),
    }),
  })
}

function messageOf(webhook: Webhook, signature: Signature | null): Json {
  const { event, contentType, doc, payload, examples } = webhook
  return present({
    name: event,
    ...documentation(doc),
    contentType,
    traits: signature && [SIGNED],
    headers: signature && { properties: { [signature.eventHeader]: { const: event } } },
    payload: use(payload),
    examples: examples.length > 0 && examples.map(exampleOf),
  })
}

function exampleOf({ key, summary, value }: Example): Json {
  return present({ name: key, summary, payload: value })
}

/** The headers that all events share. Each message adds its kind. */
function signedTrait({ header, eventHeader, prefix }: Signature): Json {
  return {
    headers: {
      type: 'object',
      required: [header, eventHeader],
      properties: {
        [header]: {
          type: 'string',
          description: 'The signature of the body.',
          pattern: `^${prefix}.+$`,
        },
        [eventHeader]: {
          type: 'string',
          description: 'The event kind. It equals `event` in the body.',
        },
      },
    },
  }
}

function securityScheme({ header, prefix, encodings, assumed }: Signature): Json {
  const text = [
    `\`${prefix}\` and the HMAC-SHA256 over the raw body of the request, keyed with the signing`,
    `secret of the endpoint, as ${listed(encodings)}. Compute it over the bytes as received`,
    'and compare the two in constant time before you parse the body.',
  ].join(' ')
  const description = describe({ text, assumed })
  return { type: 'httpApiKey', name: header, in: 'header', description }
}

/** Every type that some payload needs. */
function schemasOf({ decls, webhooks }: Api): Json {
  const payloads = webhooks.map(({ payload }) => payload)
  const needed = reachableFrom(payloads.flatMap(idsOf), indexOf(decls).decl)
  return Object.fromEntries(
    decls.filter(({ id }) => needed.has(id)).map((decl) => [decl.id, declare(decl)]),
  )
}
