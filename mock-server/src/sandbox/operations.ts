/** The operations of the contract that the sandbox serves from its state. */
import { hash } from 'node:crypto'
import { Problem } from '../door/problem.ts'
import type { StateStore } from '../store/store.ts'
import type { Sandbox } from '../store/types.ts'
import type { OperationName, PageNames } from './bindings.ts'
import { type Life, notFound, type Remember } from './life.ts'
import { analyticsOf, conversationJson, type SourceParams } from './shapes.ts'

/** A valid request, taken apart, in the sandbox's own words. */
export interface SandboxRequest {
  sandbox: Sandbox
  /** The conversation that the path names. */
  id: string
  query: {
    cursor: string | undefined
    limit: number
    /** The states that pass the filter; undefined for all. */
    statuses: readonly string[] | undefined
  }
  body: unknown
  /** The idempotency key, where the request has one. */
  key: string | undefined
  /** Waits for the delay that the request names. @returns the sandbox as it is then. */
  pause: () => Promise<Sandbox>
}

/** Resolves to the JSON of the result. */
type Operation = (request: SandboxRequest) => Promise<string>

const INTENTS = 10

/** The operations, by their names in `bindings.ts`. */
export function operationsOf(
  store: StateStore,
  life: Life,
  pageNames: PageNames,
): Record<OperationName, Operation> {
  return {
    async list({ sandbox, query: { cursor, limit, statuses } }) {
      const wanted = listOf(sandbox, statuses?.join())
      const before = readCursor(cursor, wanted, pageNames.cursor)
      const found = await store.conversations(sandbox, { statuses, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const next = found.length > limit && last ? makeCursor(last.position, wanted) : null
      const data = page.map(({ json }) => json).join()
      const rest = JSON.stringify({ [pageNames.next]: next, has_more: next !== null })
      return `{${JSON.stringify(pageNames.items)}:[${data}],${rest.slice(1)}`
    },

    async get({ sandbox, id }) {
      const thread = await store.thread(sandbox, id)
      if (!thread) throw notFound(id)
      return conversationJson(thread)
    },

    createMessage: once('message', ({ sandbox, id, body }, remember) => {
      const { text } = body as { text?: unknown }
      return life.message(sandbox, id, { author: 'agent', text: String(text ?? '') }, remember)
    }),

    createSource: once('source', ({ sandbox, body }, remember) =>
      life.addSource(sandbox, (body ?? {}) as SourceParams, remember),
    ),

    analytics: async ({ sandbox }) =>
      JSON.stringify(analyticsOf(await store.counts(sandbox, INTENTS))),
  }

  /**
   * Takes effect once per idempotency key: a retried request gets the same response. After a refusal
   * the same key may be sent again.
   */
  function once(
    name: string,
    work: (request: SandboxRequest, remember: Remember) => Promise<string>,
  ): Operation {
    return async (request) => {
      const { sandbox, key, id, body, pause } = request
      if (key === undefined) return work(request, () => undefined)
      const scope = `${name} ${key}`
      const fingerprint = hash('sha256', JSON.stringify([id, body], inOrder), 'base64url')
      const claim = await store.claimKey(sandbox, scope, fingerprint)
      if (claim.state === 'done') return claim.body
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

function readCursor(cursor: string | undefined, list: string, parameter: string): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const position = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10)
  if (Number.isSafeInteger(position) && makeCursor(position, list) === cursor) return position
  const detail = 'No page of this list returned this cursor. Start without one.'
  throw new Problem(400, 'invalid_cursor', detail, {
    errors: [{ in: 'query', parameter, code: 'cursor', message: 'is not known' }],
  })
}
