import { credential } from '../generated/contract.js'
import * as policy from '../generated/policy.js'
import { withoutKey } from './message.js'
import type { Settings } from './options.js'
import type { Attempt } from './trace.js'

/** Told what happens to every attempt; `console` is one. */
export interface Logger {
  /** A request is about to be sent. */
  debug(message: string, fields: LogFields): void
  /** An answer arrived, whatever its status. */
  info(message: string, fields: LogFields): void
  /** The request will be repeated after `delayMs`. */
  warn(message: string, fields: LogFields): void
  /** No whole answer arrived. */
  error(message: string, fields: LogFields): void
}

/** What a line is about: the attempt, and what became of it. Times are in milliseconds. */
export type LogFields = Attempt & Readonly<Record<string, unknown>>

/** Writes a line without the key; a logger that throws never fails the call it reports on. */
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

/** A value whose texts do not hold the key. */
function shown(value: unknown, settings: Settings): unknown {
  if (typeof value === 'string') return withoutKey(value, settings)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(item, settings)]),
  )
}

/** The headers as an object, with the values of those that may hold a secret replaced. */
export function redact(headers: HeadersInit): Record<string, string> {
  const shown: Record<string, string> = {}
  new Headers(headers).forEach((value, name) => {
    const secret = name === credential?.header || policy.REDACTION_HEADERS.includes(name)
    shown[name] = secret ? policy.REDACTION_TEXT : value
  })
  return shown
}
