/** The operations of the contract that the sandbox serves from its state. */
import { hash } from 'node:crypto'
import type { MessageCreateParams, SourceCreateParams } from '@support-chat/sdk'
import { type HttpResponse, json, jsonText } from '../door/message.ts'
import { Problem } from '../door/problem.ts'
import type { StateStore } from '../store/store.ts'
import type { Sandbox } from '../store/types.ts'
import { type Life, notFound, type Remember } from './life.ts'
import { analyticsOf, conversationJson } from './shapes.ts'

/** A valid request, taken apart. */
export interface SandboxRequest {
  sandbox: Sandbox
  /** By the names of the path template. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
  body: unknown
  /** The idempotency key, where the request has one. */
  key: string | undefined
  /** Waits for the delay that the request names. @returns the sandbox as it is then. */
  pause: () => Promise<Sandbox>
}

export type Operation = (request: SandboxRequest) => Promise<HttpResponse>

const PAGE = 20
const INTENTS = 10

/** The operations by method and path. */
export function operationsOf(store: StateStore, life: Life): ReadonlyMap<string, Operation> {
  const list: Operation = async ({ sandbox, query }) => {
    const limit = Number(query.get('limit') ?? PAGE)
    const status = query.get('status')
    const wanted = listOf(sandbox, status)
    const before = readCursor(query.get('cursor'), wanted)
    const found = await store.conversations(sandbox, { status, before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const next = found.length > limit && last ? makeCursor(last.position, wanted) : null
    const data = page.map(({ json }) => json).join()
    const rest = JSON.stringify({ next_cursor: next, has_more: next !== null })
    return jsonText(200, `{"data":[${data}],${rest.slice(1)}`)
  }

  const get: Operation = async ({ sandbox, path: { id = '' } }) => {
    const thread = await store.thread(sandbox, id)
    if (!thread) throw notFound(id)
    return jsonText(200, conversationJson(thread))
  }

  const createMessage = once('message', async ({ sandbox, path: { id = '' }, body }, remember) => {
    const { text } = body as MessageCreateParams
    return jsonText(201, await life.message(sandbox, id, { author: 'agent', text }, remember))
  })

  const createSource = once('source', async ({ sandbox, body }, remember) =>
    jsonText(201, await life.addSource(sandbox, body as SourceCreateParams, remember)),
  )

  const analytics: Operation = async ({ sandbox }) =>
    json(200, analyticsOf(await store.counts(sandbox, INTENTS)))

  return new Map([
    ['GET /v1/conversations', list],
    ['GET /v1/conversations/{id}', get],
    ['POST /v1/conversations/{id}/messages', createMessage],
    ['POST /v1/knowledge/sources', createSource],
    ['GET /v1/analytics', analytics],
  ])

  /**
   * Takes effect once per idempotency key: a retried request gets the same response. After a refusal
   * the same key may be sent again.
   */
  function once(
    name: string,
    work: (request: SandboxRequest, remember: Remember) => Promise<HttpResponse>,
  ): Operation {
    return async (request) => {
      const { sandbox, key, path, body, pause } = request
      if (key === undefined) return work(request, () => undefined)
      const scope = `${name} ${key}`
      const fingerprint = hash('sha256', JSON.stringify([path, body], inOrder), 'base64url')
      const claim = await store.claimKey(sandbox, scope, fingerprint)
      if (claim.state === 'done') return jsonText(claim.status, claim.body)
      if (claim.state === 'other') {
        const detail = 'This Idempotency-Key was sent with another request. Use a new one.'
        throw new Problem(422, 'idempotency_key_reused', detail)
      }
      if (claim.state === 'running') {
        const detail = 'A request with this Idempotency-Key is still running. Retry later.'
        throw new Problem(409, 'idempotency_in_progress', detail)
      }
      try {
        const remember = (text: string) => ({ scope, status: 201, body: text })
        return await work({ ...request, sandbox: await pause() }, remember)
      } finally {
        await store.releaseKey(sandbox, scope)
      }
    }
  }
}

/** A replacer for JSON.stringify: sorts fields, so that their order makes no difference. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Names a list: its sandbox and its filter. */
function listOf({ id, generation }: Sandbox, status = ''): string {
  return `${id}.${generation}.${status}`
}

/** A position in a list that later additions do not move. */
function makeCursor(position: number, list: string): string {
  return Buffer.from(`${position} ${list}`).toString('base64url')
}

function readCursor(cursor: string | undefined, list: string): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const position = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10)
  if (Number.isSafeInteger(position) && makeCursor(position, list) === cursor) return position
  const detail = 'No page of this list returned this cursor. Start without one.'
  throw new Problem(400, 'invalid_cursor', detail, {
    errors: [{ in: 'query', parameter: 'cursor', code: 'cursor', message: 'is not known' }],
  })
}
