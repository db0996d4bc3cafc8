/** The request that a call of a tool sends. */
import type { SecurityScheme } from '../door/auth.ts'
import { type Callable, isJson, SKIP } from './operations.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** Arguments that make no request. The message is for whoever calls the tool. */
export class ArgumentError extends Error {}

export interface Prepared {
  path: string
  init: RequestInit
}

/** @throws {ArgumentError} */
export function requestOf(operation: Callable, given: Arguments, key: string): Prepared {
  const { inputs, body, method } = operation
  const known = [...inputs.map(({ as }) => as), ...(body ? ['body'] : []), SKIP]
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new ArgumentError(`${unknown.join(', ')}: no such argument. Use: ${known.join(', ')}.`)
  }
  let { path } = operation
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  for (const { as, name, in: place, isRequired, parameter } of inputs) {
    const value = given[as]
    if (value === undefined || value === null) {
      // The sandbox refuses what else is missing, in its own words.
      if (isRequired && place === 'path') throw new ArgumentError(`${as} is required. Pass it.`)
      continue
    }
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(textOf(value)))
    else if (place === 'query')
      for (const pair of pairs(name, value, parameter)) query.append(...pair)
    else if (place === 'header') headers[name] = textOf(value)
    else headers.cookie = `${name}=${encodeURIComponent(textOf(value))}`
  }
  for (const scheme of operation.security) authenticate(scheme, key, headers, query)
  const sent = body?.isEmpty ? {} : given.body
  if (body && sent !== undefined) headers['content-type'] = body.mediaType
  const text = query.size > 0 ? `?${query}` : ''
  return {
    path: path + text,
    init: {
      method,
      headers,
      ...(body &&
        sent !== undefined && {
          body: isJson(body.mediaType) ? JSON.stringify(sent) : textOf(sent),
        }),
    },
  }
}

/** A query parameter, as its `style` and `explode` write it. */
function pairs(
  name: string,
  value: unknown,
  { style, explode }: Record<string, unknown>,
): Array<[string, string]> {
  if (Array.isArray(value)) {
    if (explode === false) return [[name, value.map(textOf).join(',')]]
    return value.map((one) => [name, textOf(one)])
  }
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]]
  const nameOf = (part: string) => (style === 'deepObject' ? `${name}[${part}]` : part)
  return Object.entries(value).map(([part, one]) => [nameOf(part), textOf(one)])
}

/** Sends the key of the sandbox where the contract wants it. */
function authenticate(
  scheme: SecurityScheme,
  key: string,
  headers: Record<string, string>,
  query: URLSearchParams,
): void {
  if (scheme.type === 'http' && /^basic$/i.test(scheme.scheme)) {
    headers.authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  }
  if (scheme.type !== 'apiKey') return
  if (scheme.in === 'query') query.append(scheme.name, key)
  else if (scheme.in === 'header') headers[scheme.name] = key
  else headers.cookie = `${scheme.name}=${encodeURIComponent(key)}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
