import { splitList, unquote } from './media-type.ts'

/** What a request wishes for; anything else in its `Prefer` field is ignored, as RFC 7240 asks. */
export interface Preferences {
  /** The status to answer with. */
  code?: string
  /** The name of the example to answer with. */
  example?: string
}

const PREFERENCE = /^(code|example)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]+)\s*(;.*)?$/i

/** Reads a `Prefer` field (RFC 7240); of repeated preferences the first counts. */
export function parsePrefer(field: string | undefined): Preferences {
  const preferences: Record<string, string> = {}
  for (const member of splitList(field ?? '')) {
    const [, name, value] = PREFERENCE.exec(member) ?? []
    if (name && value) preferences[name.toLowerCase()] ??= unquote(value)
  }
  return preferences
}
