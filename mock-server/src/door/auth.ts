import { cookieOf } from './cookies.ts'
import type { HttpRequest } from './message.ts'
import { Problem } from './problem.ts'
import type { Target } from './target.ts'

/** A way to authenticate, as in the security schemes of the contract. */
export type SecurityScheme =
  | { type: 'http'; scheme: string }
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  | { type: 'oauth2' | 'openIdConnect' | 'mutualTLS' }

/** Alternatives, of which one is enough. Each is a list of schemes that are needed together. */
export type SecurityRequirement = SecurityScheme[][]

/** Whether a key belongs to the real service. Such a key must not reach any other server. */
export function isLiveKey(key: string): boolean {
  return key.startsWith('sk_live_')
}

/**
 * Checks that a request has the credentials that an operation needs. A mock has no users, so any
 * credential is accepted, except live keys.
 *
 * @returns the key; empty if none was sent and none is needed.
 * @throws {Problem} 401
 */
export function authenticate(
  requirement: SecurityRequirement,
  request: HttpRequest,
  target: Target,
): string {
  const schemes = requirement.flat()
  const sent = new Map(schemes.map((scheme) => [scheme, credential(scheme, request, target)]))
  const values = [...sent.values()].filter((value) => value !== undefined)
  const raw = request.headers.authorization?.replace(/^\S*\s+/, '') ?? ''
  if ([raw, ...values].some(isLiveKey)) {
    throw new Problem(
      401,
      'live_key',
      'This is a mock server. Never send it a live key. Use any other key, for example sk_test_demo.',
      { headers: challengesOf(schemes) },
    )
  }
  const isPublic = requirement.length === 0
  // Where credentials are optional, unreadable ones must not count as none: another key would act.
  const isUnreadable =
    Boolean(request.headers.authorization) &&
    schemes.some(inAuthorization) &&
    !schemes.some((scheme) => inAuthorization(scheme) && sent.get(scheme) !== undefined)
  const passes = (all: SecurityScheme[]) =>
    all.length > 0 ? all.every((scheme) => sent.get(scheme) !== undefined) : !isUnreadable
  if (isPublic || requirement.some(passes)) return values.find((value) => value !== '') ?? ''
  const needed = requirement.filter((all) => all.length > 0)
  const cures = needed.map((all) => all.map(cureOf).join(' and ')).join(', or ')
  throw new Problem(401, 'unauthorized', `Send ${cures}.`, { headers: challengesOf(schemes) })
}

/** The first key of a request that any of the schemes finds; undefined if there is none. */
export function credentialOf(
  requirement: SecurityRequirement,
  request: HttpRequest,
  target: Target,
): string | undefined {
  const found = requirement.flat().map((scheme) => credential(scheme, request, target))
  return found.find((value) => value !== undefined && value !== '')
}

/** The credential for a scheme; undefined if it is missing or malformed. */
function credential(
  scheme: SecurityScheme,
  { headers }: HttpRequest,
  { query }: Target,
): string | undefined {
  switch (scheme.type) {
    case 'mutualTLS':
      return '' // settled before the client can send a request
    case 'apiKey': {
      const credentials = {
        header: () => headers[scheme.name.toLowerCase()],
        query: () => query.find(([name]) => name === scheme.name)?.[1],
        cookie: () => cookieOf(headers, scheme.name),
      }
      return credentials[scheme.in]() || undefined
    }
    default: {
      // The scheme's name is case-insensitive (RFC 9110 §11.1).
      const [, name, value] = /^(\S+) +(\S.*)$/.exec(headers.authorization ?? '') ?? []
      const wanted = schemeName(scheme)
      const sent = value?.trim() ?? ''
      return name?.toLowerCase() === wanted && isWellFormed(wanted, sent) ? sent : undefined
    }
  }
}

function isWellFormed(scheme: string, credentials: string): boolean {
  if (scheme === 'bearer') return !/\s/.test(credentials)
  // A user name and a password, with a colon between them (RFC 7617 §2).
  if (scheme === 'basic') {
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
    return isBase64 && Buffer.from(credentials, 'base64').includes(':')
  }
  return true
}

/** Whether a scheme's credentials are in the `Authorization` header. */
function inAuthorization({ type }: SecurityScheme): boolean {
  return type !== 'apiKey' && type !== 'mutualTLS'
}

function schemeName(scheme: SecurityScheme): string {
  return scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
}

function challengesOf(schemes: SecurityScheme[]): Record<string, string> {
  const challenges = new Set(schemes.map(challengeOf))
  return { 'www-authenticate': [...challenges].join(', ') || 'Bearer' }
}

function challengeOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return 'ApiKey'
  const name = schemeName(scheme)
  return name === 'basic' ? 'Basic realm="mock"' : name[0]?.toUpperCase() + name.slice(1)
}

function cureOf(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `an API key in the ${scheme.in} \`${scheme.name}\``
  return schemeName(scheme) === 'bearer'
    ? 'an API key as `Authorization: Bearer <API_KEY>`'
    : `credentials in the \`Authorization\` header (${schemeName(scheme)})`
}
