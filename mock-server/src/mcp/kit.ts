/** The tools that are no operation: they put several together, or look into what the package knows. */
import { diagnose } from '../diagnosis/diagnose.ts'
import type { Header } from '../diagnosis/types.ts'
import { type Page, search } from './docs.ts'
import { failure, success } from './result.ts'
import { read, type Sandbox } from './sandbox.ts'
import type { Tool } from './tools.ts'

interface Attempt {
  status: number | null
  reason: string | null
  body: string
  request: { headers: Record<string, string>; body: string } | null
}

interface Delivery {
  id: string
  kind: string
  event_id: string
  endpoint_id: string
  state: string
  reason: string | null
  attempts: Attempt[]
}

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export function kitOf(sandbox: Sandbox, pages: readonly Page[]): Tool[] {
  return [settled(sandbox), diagnosis(sandbox), searchDocs(pages)]
}

function settled(sandbox: Sandbox): Tool {
  return {
    definition: {
      name: 'sandbox_settled',
      title: 'Wait until the deliveries have settled',
      description:
        'Waits until no attempt runs and none is due. Returns how many deliveries are in each state, and why the newest ones failed. A retry that is due later stays pending: advance the clock to make it.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { ...READS, title: 'Wait until the deliveries have settled' },
    },
    async call() {
      const { now } = await read<{ now: string }>(sandbox, '/_mock/clock', { advance: 'PT0S' })
      const { data, paused } = await read<{ data: Delivery[]; paused: boolean }>(
        sandbox,
        '/_mock/deliveries',
      )
      const deliveries: Record<string, number> = {}
      for (const { state } of data) deliveries[state] = (deliveries[state] ?? 0) + 1
      const failed = data.filter(({ state }) => state !== 'succeeded').slice(0, MOST_FAILED)
      return success({ now, paused, deliveries, failed: failed.map(whyOf) })
    },
  }
}

const MOST_FAILED = 20

function whyOf({ id, kind, endpoint_id, state, reason, attempts }: Delivery) {
  const last = attempts.at(-1)
  return {
    id,
    kind,
    endpoint_id,
    state,
    attempts: attempts.length,
    status: last?.status ?? null,
    reason: reason ?? last?.reason ?? null,
  }
}

function diagnosis(sandbox: Sandbox): Tool {
  return {
    definition: {
      name: 'sandbox_diagnose',
      title: 'Diagnose a signature',
      description:
        'Verifies a delivery as the SDKs do, and finds out why it is refused: another secret, a body that was parsed and written again, a missing header. Name a delivery of the sandbox, or pass the headers and the body that your receiver got. The secret must be that of a sandbox. For any other, run `support-chat-mock verify` with --secret-env, which keeps it out of the conversation.',
      inputSchema: {
        type: 'object',
        properties: {
          delivery: {
            type: 'string',
            description: 'The ID of a delivery. Takes what its last attempt sent.',
          },
          headers: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: 'The headers that arrived.',
          },
          body: {
            type: 'string',
            description: 'The exact body that arrived, before anything parsed it.',
          },
          secret: {
            type: 'string',
            description: 'The signing secret that your receiver uses. It is not repeated.',
          },
        },
        required: ['secret'],
        additionalProperties: false,
      },
      annotations: { ...READS, title: 'Diagnose a signature' },
    },
    async call({ delivery: id, headers, body, secret }) {
      if (typeof secret !== 'string')
        return failure('secret is required. Pass the secret that your receiver uses.')
      const delivery = typeof id === 'string' ? await found(sandbox, id) : undefined
      const last = delivery?.attempts.at(-1)
      const sent = last ? last.request : { headers, body }
      if (typeof sent?.body !== 'string') {
        return failure(
          'There is nothing to verify. Pass a delivery that was attempted, from sandbox_listDeliveries, or the headers and the body that arrived.',
        )
      }
      const { code, status, findings } = await diagnose({
        delivery: { body: Buffer.from(sent.body), headers: headersOf(sent.headers) },
        secrets: [{ name: 'secret', value: secret }],
        now: Date.now,
      })
      const attempt = last && { status: last.status, reason: last.reason, body: last.body }
      return success(
        { code, status, findings, ...(attempt && { attempt }) },
        undefined,
        notesOf(code, last),
      )
    },
  }
}

function found(sandbox: Sandbox, id: string): Promise<Delivery> {
  return read<Delivery>(sandbox, `/_mock/deliveries/${encodeURIComponent(id)}`)
}

function headersOf(headers: unknown): Header[] {
  return Object.entries((headers ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    String(value),
  ])
}

/** What the two sides say together. */
function notesOf(code: string, last: Attempt | undefined): string[] {
  if (code !== 'ok' || !last || last.reason === null) return []
  return [
    'The delivery is signed with this secret, but the receiver refused it. Check which secret the receiver runs with, and that it verifies the raw body.',
  ]
}

function searchDocs(pages: readonly Page[]): Tool {
  return {
    definition: {
      name: 'search_docs',
      title: 'Search the guides',
      description:
        'Finds sections of the guides, the READMEs of the SDKs and the examples, which the package carries. Each result has the path of its page, which is the resource docs:///PATH.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', minLength: 2, description: 'A few words.' } },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { ...READS, title: 'Search the guides' },
    },
    async call({ query }) {
      const results = search(pages, String(query ?? ''))
      if (results.length > 0) return success({ results })
      return failure(
        'No section has these words. Use fewer or other words, in English, or list the resources.',
      )
    },
  }
}
