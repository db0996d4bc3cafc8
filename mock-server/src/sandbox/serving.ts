/** Serves an operation of the contract from the sandbox: takes the request apart and forms the response. */
import { object } from '../contract/document.ts'
import type { DriftCheck } from '../contract/drift.ts'
import { project } from '../contract/projection.ts'
import type { HttpResponse } from '../door/message.ts'
import type { Sandbox } from '../store/types.ts'
import { type BoundOperation, itemOf, wireName } from './bindings.ts'
import type { SandboxRequest } from './operations.ts'
import type { Rendered } from './rendered.ts'
import { STATUSES } from './shapes.ts'

/** A valid request with the names of the contract. */
export interface ApiRequest {
  sandbox: Sandbox
  /** By the names of the path template, in its order. */
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, string>
  headers: Readonly<Record<string, string | undefined>>
  body: unknown
  /** Waits for the delay that the request names. @returns the sandbox as it is then. */
  pause: () => Promise<Sandbox>
}

export type Serve = (request: ApiRequest) => Promise<HttpResponse>

/** The size of a page if the contract does not say, and the largest if lists have no pages. */
const PAGE = 20
const ALL = 1000

export function servingOf(
  bound: BoundOperation,
  operation: (request: SandboxRequest) => Promise<string>,
  { drift, rendered }: { drift: DriftCheck | undefined; rendered: Rendered },
): Serve {
  const { described, status, headers, form, body: bodyForm, query: names, limit } = bound
  const shownAs = statusesOf(bound)
  const page =
    names.cursor === undefined ? ALL : (limit.default ?? Math.min(PAGE, limit.maximum ?? PAGE))
  const { idempotencyHeader } = described
  const isRead = described.method === 'GET'

  return async ({ sandbox, path, query, headers: sent, body, pause }) => {
    const value = (name: string | undefined) => (name === undefined ? undefined : query.get(name))
    const wanted = value(names.status)
    const id = Object.values(path)[0] ?? ''
    const filter = {
      cursor: value(names.cursor),
      limit: Number(value(names.limit) ?? page),
      statuses: wanted === undefined ? undefined : (shownAs.get(wanted) ?? [wanted]),
    }
    const make = async () => {
      const json = await operation({
        sandbox,
        id,
        query: filter,
        body: bodyForm ? bodyForm.restore(body) : body,
        key: idempotencyHeader === undefined ? undefined : sent[idempotencyHeader],
        pause,
      })
      return form ? form.text(json) : ''
    }
    const text = isRead
      ? await rendered.of(sandbox, JSON.stringify([bound.name, id, filter]), make)
      : await make()
    const response: HttpResponse = form
      ? { status, headers: { ...headers, 'content-type': bound.mediaType }, body: text }
      : { status, headers }
    drift?.response(described, response)
    return response
  }
}

/** The sandbox's states by the contract's value that lists show for them. */
function statusesOf({ name, form }: BoundOperation): ReadonlyMap<string, string[]> {
  const states = new Map<string, string[]>()
  if (name !== 'list' || !form || form.isIdentity) return states
  const item = itemOf(form.shape)
  const field = wireName(item, 'status')
  if (!item || field === undefined) return states
  for (const status of STATUSES) {
    const shown = String(object(project(item, { status }, [], () => {}))[field])
    states.set(shown, [...(states.get(shown) ?? []), status])
  }
  return states
}
