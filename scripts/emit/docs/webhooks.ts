import type { Api, Webhook } from '../../model/types.ts'
import { listed } from '../core/comment.ts'
import { blocks, code, inline, json, table } from '../core/markdown.ts'
import type { CodeOf } from './code.ts'
import { paragraphs, TypeNames } from './types.ts'

/** Every event, and how a delivery of it is signed. */
export function webhooksPage(api: Api, handlers: CodeOf): string {
  const types = new TypeNames(api, 'schemas.md')
  return blocks(
    '# Webhooks',
    'Each event is an HTTP POST with a JSON body to your URL.',
    api.signature &&
      table(
        ['Header', 'Value'],
        [
          [
            code(api.signature.header),
            `${code(api.signature.prefix)} and the HMAC-SHA256 over the raw body with the endpoint's secret, as ${listed(api.signature.encodings)}`,
          ],
          [code(api.signature.eventHeader), 'The event kind. It equals `event` in the body.'],
        ],
      ),
    ...api.webhooks.map((webhook) => describeWebhook(webhook, types, handlers)),
  )
}

function describeWebhook(webhook: Webhook, types: TypeNames, handlers: CodeOf): string {
  const { event, payload, doc, examples } = webhook
  return blocks(
    `## ${event}`,
    paragraphs(doc),
    `Body: ${types.describe(payload)}.`,
    handlers.tabs(webhook),
    ...examples.map(({ key, summary, value }) => blocks(`${inline(summary ?? key)}:`, json(value))),
  )
}
