import { credential } from '../generated/contract.js'
import { BaseError, ENV_LOG, PACKAGE } from '../generated/names.js'
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
  /** The next attempt starts after `delayMs`, because of `reason`. Or a response did not match the contract. */
  warn(message: string, fields: LogFields): void
  /** The call failed without a whole response. */
  error(message: string, fields: LogFields): void
}

/** The least important lines to log. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** The attempt, and its result. Times are in milliseconds. A mismatch has no number of the retry. */
export type LogFields = Omit<Attempt, 'retry'> & Readonly<Record<string, unknown>>

/** @throws BaseError for a level that does not exist. */
export function rankOf(level: string): number {
  const rank = policy.LOG_LEVELS.indexOf(level)
  if (rank >= 0) return rank
  throw new BaseError(`logLevel or ${ENV_LOG} must be one of ${policy.LOG_LEVELS.join(', ')}.`)
}

/** Writes a line without the key. A logger that throws does not fail the call. */
export function log(
  settings: Settings,
  level: keyof Logger,
  message: string,
  fields: () => LogFields,
): void {
  const { logger, logRank } = settings
  if (policy.LOG_LEVELS.indexOf(level) > logRank) return
  try {
    const line = shown(fields(), settings) as LogFields
    if (logger) logger[level](message, line)
    // biome-ignore lint/suspicious/noConsole: the sink where the client has no logger
    else console[level](`${PACKAGE}: ${message}`, line)
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
export function redact(headers: Headers | Record<string, string>): Record<string, string> {
  const shown: Record<string, string> = {}
  new Headers(headers).forEach((value, name) => {
    const secret = name === credential?.header || policy.REDACTION_HEADERS.includes(name)
    shown[name] = secret ? policy.REDACTION_TEXT : value
  })
  return shown
}
