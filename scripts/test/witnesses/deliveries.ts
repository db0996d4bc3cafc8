// What the service of a contract delivers: its examples of events, signed as the contract says.
import { createHmac } from 'node:crypto'
import type { Document } from './witness.ts'

export const SECRET = 'whsec_witness'

export interface Delivery {
  headers: Record<string, string>
  body: string
}

interface Signature {
  header: string
  event_header: string
  prefix: string
  encodings: { values: Array<'hex' | 'base64' | 'base64url'> }
}

interface Content {
  example?: { event?: string }
  examples?: Record<string, { value: { event?: string } }>
}

/** The deliveries of a document, in its order. */
export function deliveriesOf(document: Document): Delivery[] {
  const signature = document['x-webhook-signature'] as Signature | undefined
  const webhooks = Object.values((document.webhooks ?? {}) as Record<string, Document>)
  if (!signature) return []
  return webhooks.flatMap(examplesOf).map((event) => sign(event, signature))
}

function examplesOf(webhook: Document): Array<{ event?: string }> {
  const { post } = webhook as { post: { requestBody: { content: Record<string, Content> } } }
  return Object.values(post.requestBody.content).flatMap(({ example, examples = {} }) => [
    ...(example ? [example] : []),
    ...Object.values(examples).map(({ value }) => value),
  ])
}

function sign(event: { event?: string }, signature: Signature): Delivery {
  const body = JSON.stringify(event)
  const [encoding = 'hex'] = signature.encodings.values
  const digest = createHmac('sha256', SECRET).update(body).digest(encoding)
  const headers = {
    'content-type': 'application/json',
    [signature.header]: `${signature.prefix}${digest}`,
    [signature.event_header]: event.event ?? '',
  }
  return { headers, body }
}
