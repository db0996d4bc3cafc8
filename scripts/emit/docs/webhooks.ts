import type { Api, Webhook } from '../../model/types.ts'
import { listed } from '../core/comment.ts'
import { blocks, code, inline, json, table } from '../core/markdown.ts'
import { paragraphs, TypeNames } from './types.ts'

/** Every event, and how a delivery of it is signed. */
export function webhooksPage(api: Api): string {
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
    ...api.webhooks.map((webhook) => describeWebhook(webhook, types)),
  )
}

function describeWebhook({ event, payload, doc, examples }: Webhook, types: TypeNames): string {
  return blocks(
    `## ${event}`,
    paragraphs(doc),
    `Body: ${types.describe(payload)}.`,
    ...examples.map(({ key, summary, value }) => blocks(`${inline(summary ?? key)}:`, json(value))),
  )
}
