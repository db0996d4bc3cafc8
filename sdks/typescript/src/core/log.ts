import { credential } from '../generated/contract.js'
import * as policy from '../generated/policy.js'
import { withoutKey } from './message.js'
import type { Settings } from './options.js'
import type { Attempt } from './trace.js'

/** Receives a line for each step of an attempt. `console` is a logger. */
export interface Logger {
  /** A request is about to be sent. */
  debug(message: string, fields: LogFields): void
  /** A response arrived, with any status. */
  info(message: string, fields: LogFields): void
  /** The next attempt starts after `delayMs`. */
  warn(message: string, fields: LogFields): void
  /** No whole response arrived. */
  error(message: string, fields: LogFields): void
}

/** The attempt, and its result. Times are in milliseconds. */
export type LogFields = Attempt & Readonly<Record<string, unknown>>

/** Writes a line without the key. A logger that throws does not fail the call. */
export function log(
  settings: Settings,
  level: keyof Logger,
  message: string,
  fields: () => LogFields,
): void {
  try {
    settings.logger?.[level](message, shown(fields(), settings) as LogFields)
  } catch {}
}

/** A copy of a value without the key. */
function shown(value: unknown, settings: Settings): unknown {
  if (typeof value === 'string') return withoutKey(value, settings)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(item, settings)]),
  )
}

/** The headers as an object. Replaces the values of those that may hold a secret. */
export function redact(headers: HeadersInit): Record<string, string> {
  const shown: Record<string, string> = {}
  new Headers(headers).forEach((value, name) => {
    const secret = name === credential?.header || policy.REDACTION_HEADERS.includes(name)
    shown[name] = secret ? policy.REDACTION_TEXT : value
  })
  return shown
}
