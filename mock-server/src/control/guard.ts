/** Protects the control API and the dashboard from other web pages on the same machine. */
import { timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../door/message.ts'
import { Problem } from '../door/problem.ts'

export interface GuardOptions {
  /** The protocol of the URL of this server. @default http: */
  scheme?: string | undefined
  /** The host that the server listens on. */
  host: string
  /** The required value of `x-mock-token`; null if none is required. */
  token: string | null
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const WILDCARD = /^(?:0\.0\.0\.0|::)$/
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Accepts requests from this server's own pages and from programs.
 *
 * @throws {Problem} 401 without the token, 403 for a request from another page.
 */
export function guard(request: HttpRequest, { host, token, scheme }: GuardOptions): void {
  const { headers, method } = request
  checkHost(request, host)
  checkToken(headers['x-mock-token'], token)
  if (CHANGES.has(method) && headers.origin !== undefined && !hasOwnOrigin(request, scheme)) {
    throw refused(
      'A page of another origin must not control the sandbox. Open the dashboard of this server instead.',
    )
  }
}

/**
 * Accepts a request for a page. Any page can make a browser send a form here, so the browser must
 * state that the form comes from a page of this server.
 *
 * @throws {Problem} 403
 */
export function guardPage(
  request: HttpRequest,
  { host, scheme }: Pick<GuardOptions, 'host' | 'scheme'>,
): void {
  checkHost(request, host)
  const isOwn = hasOwnOrigin(request, scheme) || request.headers['sec-fetch-site'] === 'same-origin'
  if (CHANGES.has(request.method) && !isOwn) {
    throw refused('Send forms only from a page of this server. Programs use /_mock instead.')
  }
}

/** @throws {Problem} 401 */
export function checkToken(sent: string | undefined, token: string | null): void {
  if (token === null || isEqual(sent ?? '', token)) return
  const detail = 'Send the control token of the server as `x-mock-token`.'
  throw new Problem(401, 'token_missing', detail)
}

function checkHost({ headers }: HttpRequest, host: string): void {
  const authority = headers.host ?? ''
  const name = authority.replace(/:\d+$/, '').toLowerCase()
  // A server on every address is reached by any of its names. Its token protects it.
  if (WILDCARD.test(host)) return
  // A page elsewhere can point its own name here (DNS rebinding), but cannot send another Host.
  if (!LOOPBACK.test(name) && name !== bracketed(host)) {
    throw refused(
      `The Host ${JSON.stringify(authority)} does not belong to this server. Use the URL that it printed.`,
    )
  }
}

function hasOwnOrigin({ headers }: HttpRequest, scheme = 'http:'): boolean {
  return headers.origin?.toLowerCase() === `${scheme}//${(headers.host ?? '').toLowerCase()}`
}

function refused(detail: string): Problem {
  return new Problem(403, 'forbidden_origin', detail)
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}

/** Compares a secret in constant time. */
export function isEqual(sent: string, token: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
