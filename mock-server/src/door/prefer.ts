import { splitList, unquote } from './media-type.ts'

/** The preferences of a request. Others in its `Prefer` field are ignored, as RFC 7240 requires. */
export interface Preferences {
  /** The status to return. */
  code?: string
  /** The name of the example to return. */
  example?: string
}

const PREFERENCE = /^(code|example)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]+)\s*(;.*)?$/i

/** Parses a `Prefer` field (RFC 7240). Of repeated preferences the first counts. */
export function parsePrefer(field: string | undefined): Preferences {
  const preferences: Record<string, string> = {}
  for (const member of splitList(field ?? '')) {
    const [, name, value] = PREFERENCE.exec(member) ?? []
    if (name && value) preferences[name.toLowerCase()] ??= unquote(value)
  }
  return preferences
}
