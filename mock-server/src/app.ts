/** Puts the parts together: the door, and behind it the API, the control API and the pages. */
import { type ApiOptions, apiRoutes, type RouteHandler } from './api.ts'
import type { Contract } from './contract/load.ts'
import { CORS, isPreflight, preflight } from './door/cors.ts'
import type { Log } from './door/log.ts'
import { parseMediaType } from './door/media-type.ts'
import type { Handler, HttpRequest, HttpResponse } from './door/message.ts'
import { Problem, problemResponse, titleOf } from './door/problem.ts'
import { requestIdOf } from './door/request-id.ts'
import { allowed, createRouter, type Route } from './door/router.ts'
import { parseTarget, type Target } from './door/target.ts'
import { toProblem } from './errors.ts'
import { pages } from './pages/pages.ts'
import { site } from './pages/site.ts'

/**
 * Builds the handler that serves a contract. It never rejects.
 *
 * @param options Without sandboxes, it responds from the contract alone.
 * @param own Routes beside the contract: the control API under `/_mock`, and the dashboard.
 */
export function createApp(
  contract: Contract,
  options: ApiOptions,
  own: readonly Route<RouteHandler>[],
  log: Log,
): Handler {
  const { requestIdHeader } = contract.description
  const basePaths = new Set(contract.operations.map(({ basePath }) => basePath))
  const hasHome = contract.operations.some(({ path }) => path === '/')
  // Pages of other origins must not read these.
  const isOwn = (path: string) =>
    /^\/(?:_mock|dashboard)(?:\/|$)/.test(path) || (path === '/' && !hasHome)
  const router = createRouter<RouteHandler>([
    ...apiRoutes(contract, options),
    ...own,
    ...pages(contract, options.revision),
  ])

  const route = async (request: HttpRequest, target: Target): Promise<HttpResponse> => {
    const methods = router.match(target.path) ?? siteMethods(target.path)
    if (isPreflight(request.method, request.headers) && !isOwn(target.path)) {
      return { status: 204, headers: preflight(allowed(methods?.keys() ?? router.methods)) }
    }
    if (!methods) throw notFound(target.path, (path) => router.match(path) !== null, basePaths)

    const endpoint =
      methods.get(request.method) ?? (request.method === 'HEAD' ? methods.get('GET') : undefined)
    if (endpoint) return endpoint(request, target)
    const allow = allowed(methods.keys())
    const headers = { allow: allow.join(', ') }
    if (request.method === 'OPTIONS') return { status: 204, headers }
    throw new Problem(
      405,
      'method_not_allowed',
      `${target.path} does not support ${request.method}. Use ${allow.join(', ')}.`,
      { headers },
    )
  }

  return async (request) => {
    const started = performance.now()
    const requestId = requestIdOf(request.headers[requestIdHeader])
    const { findings = {} } = request
    findings.id = requestId
    let path = ''
    let response: HttpResponse
    try {
      if (request.method === 'OPTIONS' && request.target === '*') {
        response = { status: 204, headers: { allow: allowed(router.methods).join(', ') } }
      } else {
        const target = parseTarget(request.target)
        path = target.path
        response = stamp(await route(request, target), requestId)
      }
    } catch (error) {
      const problem = toProblem(error)
      if (problem instanceof Problem) findings.refusal = problem
      response = problemResponse(problem, requestId)
      const cause = error instanceof Problem ? error.cause : error
      if (response.status >= 500 && cause !== undefined) {
        const { method } = request
        const { stack = String(cause) } = cause as Error
        log.error('request failed', { requestId, method, path, error: String(cause), stack })
      }
    }
    const { method } = request
    const ms = Math.round((performance.now() - started) * 10) / 10
    log.info('request', { method, path, status: response.status, ms, requestId })
    const cors = isOwn(path) ? {} : CORS
    return { ...response, headers: { ...response.headers, ...cors, [requestIdHeader]: requestId } }
  }
}

function siteMethods(path: string): ReadonlyMap<string, RouteHandler> | null {
  const page = site.at(path)
  return page && new Map([['GET', page]])
}

/** Whether a request target is one of the API, also if it is unknown there: not a page, nor control. */
export function isCallOf(
  { operations, ...contract }: Contract,
  beside: readonly Route<RouteHandler>[],
) {
  const targets = (routes: readonly Route<unknown>[]) =>
    createRouter(routes.map(({ path, method }) => ({ path, method, target: null })))
  const api = targets(operations.map(({ path, method }) => ({ path, method, target: null })))
  const others = targets([...beside, ...pages({ operations, ...contract }, null)])
  return (target: string) => {
    const path = target.replace(/^https?:\/\/[^/?#]+/i, '').replace(/\?.*/s, '')
    return api.match(path) !== null || (others.match(path) ?? siteMethods(path)) === null
  }
}

/** Writes the facts of this response into a problem that is an example of the contract. */
function stamp(response: HttpResponse, requestId: string): HttpResponse {
  const { status, body } = response
  if (status < 400) return response
  const type = parseMediaType(response.headers['content-type'] ?? '')?.essence
  if (type !== 'application/problem+json' || typeof body !== 'string') return response
  const problem: unknown = JSON.parse(body)
  if (typeof problem !== 'object' || problem === null) return response
  const example = problem as Record<string, unknown>
  const facts = {
    status,
    request_id: requestId,
    // RFC 9457 §4.2.1: `about:blank` has the title of the status.
    ...(example.type === 'about:blank' && { title: titleOf(status) }),
  }
  const known = Object.entries(facts).filter(([name]) => Object.hasOwn(example, name))
  return { ...response, body: JSON.stringify({ ...example, ...Object.fromEntries(known) }) }
}

function notFound(
  path: string,
  exists: (path: string) => boolean,
  basePaths: Iterable<string>,
): Problem {
  const near = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  const found = ['', ...basePaths].map((base) => base + near).find(exists)
  const isOther = found !== undefined && found !== path
  const hint = isOther ? `Did you mean ${found}?` : 'See /docs for all paths.'
  return new Problem(404, 'not_found', `No path matches ${path}. ${hint}`)
}
