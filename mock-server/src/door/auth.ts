import { cookieOf } from './cookies.ts'
import type { HttpRequest } from './message.ts'
import { Problem } from './problem.ts'
import type { Target } from './target.ts'

/** One way to prove who asks, as the contract's security schemes describe it. */
export type SecurityScheme =
  | { type: 'http'; scheme: string }
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  | { type: 'oauth2' | 'openIdConnect' | 'mutualTLS' }

/** Alternatives, of which one is enough; each is a list of schemes, which are needed together. */
export type SecurityRequirement = SecurityScheme[][]

/** Whether a key is for the real service, where it must never leave the way there. */
export function isLiveKey(key: string): boolean {
  return key.startsWith('sk_live_')
}

/**
 * Checks that a request carries what an operation needs. Any credential will do, since a mock has
 * no users, but for live keys: they must never reach a program like this one.
 *
 * @returns the key; empty where there is none and none is needed.
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
      'This is a mock server: never send a live key to it. Any other key will do, for example sk_test_demo.',
      { headers: challengesOf(schemes) },
    )
  }
  const isPublic = requirement.length === 0
  const passes = (all: SecurityScheme[]) => all.every((scheme) => sent.get(scheme) !== undefined)
  if (isPublic || requirement.some(passes)) return values.find((value) => value !== '') ?? ''
  const cures = requirement.map((all) => all.map(cureOf).join(' and ')).join(', or ')
  throw new Problem(401, 'unauthorized', `Send ${cures}.`, { headers: challengesOf(schemes) })
}

/** What was sent for a scheme; undefined where it is missing or malformed. */
function credential(
  scheme: SecurityScheme,
  { headers }: HttpRequest,
  { query }: Target,
): string | undefined {
  switch (scheme.type) {
    case 'mutualTLS':
      return '' // is settled before a request can be sent
    case 'apiKey': {
      const places = {
        header: () => headers[scheme.name.toLowerCase()],
        query: () => query.find(([name]) => name === scheme.name)?.[1],
        cookie: () => cookieOf(headers, scheme.name),
      }
      return places[scheme.in]() || undefined
    }
    default: {
      // The scheme's name is case-insensitive (RFC 9110 §11.1).
      const [, name, value] = /^(\S+) +(\S.*)$/.exec(headers.authorization ?? '') ?? []
      const wanted = schemeName(scheme)
      if (name?.toLowerCase() !== wanted) return undefined
      return wanted === 'bearer' && /\s/.test(value?.trim() ?? '') ? undefined : value?.trim()
    }
  }
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
  if (scheme.type === 'apiKey') return `your key as the ${scheme.in} \`${scheme.name}\``
  return schemeName(scheme) === 'bearer'
    ? 'your key as `Authorization: Bearer <API_KEY>`'
    : `your credentials in the \`Authorization\` header (${schemeName(scheme)})`
}
