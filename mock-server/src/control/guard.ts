/** Keeps other web pages on the same machine away from what controls the sandbox. */
import { timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../door/message.ts'
import { Problem } from '../door/problem.ts'

export interface GuardOptions {
  /** The host that the server was told to listen on. */
  host: string
  /** What has to be sent as `x-mock-token`; null where nothing has to. */
  token: string | null
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const WILDCARD = /^(?:0\.0\.0\.0|::)$/
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Lets a request through that comes from this server's own pages or from a program.
 *
 * @throws {Problem} 401 without the token, 403 for another page's request.
 */
export function guard(request: HttpRequest, { host, token }: GuardOptions): void {
  const { headers, method } = request
  checkHost(request, host)
  checkToken(headers['x-mock-token'], token)
  if (CHANGES.has(method) && headers.origin !== undefined && !hasOwnOrigin(request)) {
    throw refused('A page of another origin may not control the sandbox.')
  }
}

/**
 * Lets a request for a page through. Any page can have a browser send a form here: it has to come from
 * one of this server's own, by the word of the browser.
 *
 * @throws {Problem} 403
 */
export function guardPage(request: HttpRequest, { host }: Pick<GuardOptions, 'host'>): void {
  checkHost(request, host)
  const isOwn = hasOwnOrigin(request) || request.headers['sec-fetch-site'] === 'same-origin'
  if (CHANGES.has(request.method) && !isOwn) {
    throw refused('A form has to be sent from a page of this server. Programs use /_mock instead.')
  }
}

/** @throws {Problem} 401 */
export function checkToken(sent: string | undefined, token: string | null): void {
  if (token === null || isEqual(sent ?? '', token)) return
  const detail = 'Send the token that the server was started with as `x-mock-token`.'
  throw new Problem(401, 'token_missing', detail)
}

function checkHost({ headers }: HttpRequest, host: string): void {
  const authority = headers.host ?? ''
  const name = authority.replace(/:\d+$/, '').toLowerCase()
  // Whoever listens on every address is called by any of its names; it has a token, too.
  if (WILDCARD.test(host)) return
  // A page elsewhere can make a name of its own lead here (DNS rebinding), but not send another Host.
  if (!LOOPBACK.test(name) && name !== bracketed(host)) {
    throw refused(`The Host ${JSON.stringify(authority)} is not this server's.`)
  }
}

function hasOwnOrigin({ headers }: HttpRequest): boolean {
  return headers.origin?.toLowerCase() === `http://${(headers.host ?? '').toLowerCase()}`
}

function refused(detail: string): Problem {
  return new Problem(403, 'forbidden_origin', detail)
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}

function isEqual(sent: string, token: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
