/** What recorded exchanges are under a contract: calls of its operations, events, or something else. */
import { LANGUAGES, type Language } from '@support-chat/scripts/changes'
import { byCompiled } from '../contract/compiled.ts'
import type { Contract, Operation } from '../contract/load.ts'
import { readRequest } from '../contract/request.ts'
import { Problem, type Reason } from '../door/problem.ts'
import { createRouter, type Router } from '../door/router.ts'
import { parseTarget } from '../door/target.ts'
import { isRedacted, type Recorded } from './har.ts'

/** A call of an operation. */
export interface Call {
  recorded: Recorded
  operation: Operation
  /** The path within the contract, as it was sent. */
  path: string
  query: Map<string, string>
  /** The parsed bodies; undefined where there is none that is JSON. */
  body: unknown
  response: unknown
  /** That of the SDK that sent it; null where it is not known. */
  language: Language | null
}

/** An event that was delivered. */
export interface Happened {
  recorded: Recorded
  kind: string
  id: string | null
  body: Record<string, unknown>
}

export type Met =
  | { is: 'call'; call: Call }
  | { is: 'event'; event: Happened }
  | { is: 'unknown'; recorded: Recorded }

/** Tells recorded exchanges apart by a contract. */
export function meetings(contract: Contract): (recorded: Recorded) => Met {
  const routes = contract.operations.map((target) => ({ ...target, target }))
  const router = createRouter<Operation>(routes)
  const kinds = new Set(contract.description.kinds)
  return (recorded) => {
    const call = callOf(recorded, router)
    if (call) return { is: 'call', call }
    const event = eventOf(recorded)
    return event && kinds.has(event.kind) ? { is: 'event', event } : { is: 'unknown', recorded }
  }
}

function callOf(recorded: Recorded, router: Router<Operation>): Call | null {
  const { url, method, headers, body, response, responseType } = recorded
  // A proxy may put the API below a path of its own.
  for (let path = url.pathname; path !== ''; path = path.slice(1).replace(/^[^/]*/, '')) {
    const methods = router.match(path)
    const operation = methods?.get(method) ?? (method === 'HEAD' ? methods?.get('GET') : undefined)
    if (!operation || !isDecodable(path)) continue
    return {
      recorded,
      operation,
      path,
      query: new Map(url.searchParams),
      body: body === null ? undefined : jsonOf(body.toString(), headers['content-type'] ?? ''),
      response: response === null ? undefined : jsonOf(response, responseType),
      language: languageOf(headers['user-agent'] ?? ''),
    }
  }
  return null
}

/** An envelope of an event that was posted somewhere. */
function eventOf(recorded: Recorded): Happened | null {
  const { method, body } = recorded
  if (method !== 'POST' || !body?.length) return null
  const envelope = jsonOf(body.toString(), 'application/json')
  if (typeof envelope !== 'object' || envelope === null) return null
  const { event, id, data } = envelope as Record<string, unknown>
  if (typeof event !== 'string' || typeof data !== 'object') return null
  return {
    recorded,
    kind: event,
    id: typeof id === 'string' ? id : null,
    body: envelope as Record<string, unknown>,
  }
}

/**
 * Why a contract refuses a call. Redacted values and parameters that it does not have are let pass: the
 * service ignores those.
 *
 * @param operation Of that contract.
 */
export async function refusalsOf(call: Call, operation: Operation): Promise<Reason[]> {
  const { recorded, path } = call
  const { body, headers, method, url } = recorded
  if (body === null) return []
  const { 'transfer-encoding': _, 'content-encoding': __, ...others } = headers
  const request = {
    method,
    target: path + url.search,
    headers: { ...others, 'content-length': String(body.length) },
    body: (async function* () {
      yield body
    })(),
  }
  try {
    await readRequest(operation, request, parseTarget(request.target), byCompiled)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { errors, code, message } = error
    const whole: Reason = { in: 'body', pointer: '', code, message }
    return (errors ?? [whole]).filter((reason) => !isIgnored(reason, call))
  }
}

function isIgnored({ in: part, parameter = '', code }: Reason, { recorded, query }: Call): boolean {
  if (part === 'query' && code === 'unknown') return true
  const value = part === 'query' ? query.get(parameter) : recorded.headers[parameter.toLowerCase()]
  return part !== 'body' && part !== 'path' && value !== undefined && isRedacted(value)
}

/** The SDKs name themselves: `support-chat-python/1.0.0`. */
function languageOf(agent: string): Language | null {
  const [, name] = /-([a-z]+)\/\d/.exec(agent) ?? []
  return LANGUAGES.find((language) => language === name) ?? null
}

function isDecodable(path: string): boolean {
  try {
    parseTarget(path)
    return true
  } catch {
    return false
  }
}

function jsonOf(text: string, type: string): unknown {
  if (!/json/i.test(type)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
