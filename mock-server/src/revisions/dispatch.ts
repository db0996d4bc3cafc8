/** Hands each request to the revision of the contract that it is for. */
import { CORS, isPreflight } from '../door/cors.ts'
import type { Log } from '../door/log.ts'
import type { Handler, HttpRequest, HttpResponse } from '../door/message.ts'
import { Problem, problemResponse } from '../door/problem.ts'
import { requestIdOf } from '../door/request-id.ts'
import { parseTarget, type Target } from '../door/target.ts'
import { unknownRevision } from '../sandbox/sandboxes.ts'

/** The header that names the revision of a request, and of its response. */
export const REVISION_HEADER = 'x-mock-revision'
const ALLOWED = 'access-control-allow-methods'
/** The pages whose address may name a revision, since a browser sends no header. */
const PAGES = new Set(['/reference', '/reference/openapi.yaml', '/openapi.yaml'])

/** What serves a revision. */
export interface Served {
  name: string
  handler: Handler
  requestIdHeader: string
}

export interface DispatchOptions {
  /** The first one handles requests that choose none. */
  revisions: readonly [Served, ...Served[]]
  /** The revision that the key of a request has chosen; null for none. */
  chosen: (request: HttpRequest, target: Target) => Promise<string | null>
  log: Log
}

/** Builds the handler of several revisions. It never rejects. */
export function dispatch({ revisions, chosen, log }: DispatchOptions): Handler {
  const [first] = revisions
  const names = revisions.map(({ name }) => name)
  const lost = new Set<string>()

  return async (request) => {
    if (isPreflight(request.method, request.headers)) return preflight(request, revisions)
    const requestId = requestIdOf(request.headers[first.requestIdHeader])
    try {
      const { name, handler } = await revisionOf(request)
      const response = await handler(request)
      return { ...response, headers: { ...response.headers, [REVISION_HEADER]: name } }
    } catch (error) {
      const { findings = {} } = request
      findings.id = requestId
      if (error instanceof Problem) findings.refusal = error
      else log.error('request failed', { error: String(error) })
      const { headers, ...response } = problemResponse(error, requestId)
      return { ...response, headers: { ...headers, ...CORS, [first.requestIdHeader]: requestId } }
    }
  }

  async function revisionOf(request: HttpRequest): Promise<Served> {
    const target = targetOf(request.target)
    const page = PAGES.has(target?.path ?? '') ? new Map(target?.query).get('revision') : undefined
    const wanted = request.headers[REVISION_HEADER] ?? page
    if (wanted !== undefined) return known(wanted) ?? refuse(wanted)
    const name = target ? await chosen(request, target) : null
    if (name === null) return first
    const found = known(name)
    if (!found && !lost.has(name)) {
      lost.add(name)
      log.warn('a key has chosen a revision that is not served, so it gets the first one', {
        revision: name,
        first: first.name,
      })
    }
    return found ?? first
  }

  function known(name: string): Served | undefined {
    return revisions.find((one) => one.name === name)
  }

  function refuse(name: string): never {
    throw new Problem(400, 'unknown_revision', unknownRevision(name, names))
  }
}

/** Allows what any revision allows, since a preflight names none. */
async function preflight(
  request: HttpRequest,
  revisions: readonly [Served, ...Served[]],
): Promise<HttpResponse> {
  const responses = await Promise.all(revisions.map(({ handler }) => handler(request)))
  const [first] = responses as [HttpResponse, ...HttpResponse[]]
  const methods = responses.flatMap(({ headers }) => headers[ALLOWED]?.split(', ') ?? [])
  if (methods.length === 0) return first
  return { ...first, headers: { ...first.headers, [ALLOWED]: [...new Set(methods)].join(', ') } }
}

/** Undefined for a target that the revision's handler will refuse. */
function targetOf(target: string): Target | undefined {
  try {
    return parseTarget(target)
  } catch {
    return undefined
  }
}
