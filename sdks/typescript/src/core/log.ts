import { credential } from '../generated/contract.js'
import * as policy from '../generated/policy.js'
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

/** Writes a line; a logger that throws never fails the call it reports on. */
export function log(
  logger: Logger | undefined,
  level: keyof Logger,
  message: string,
  fields: () => LogFields,
): void {
  try {
    logger?.[level](message, fields())
  } catch {}
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
