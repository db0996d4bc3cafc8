import type { Api } from '../../model/types.ts'
import type { Call } from './examples.ts'

/** A request as it was sent, without its key. */
export interface Sent {
  method: string
  /** The URL of the server, without a path. */
  origin: string
  /** Encoded. */
  path: string
  /** Encoded, without its question mark. */
  query: string
  /** The caller's own, by names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Whether it had a key. */
  hasKey: boolean
  body: { text: string; isBase64: boolean } | null
}

/** A request as a call of an SDK's method. */
export interface SdkCall {
  call: Call
  origin: string
  /** The idempotency key; null where it had none. */
  key: string | null
  /** Those that neither the SDK nor a parameter sends. */
  headers: ReadonlyArray<readonly [name: string, value: string]>
}

/** Writes programs that send one request. They read the key from the environment. */
export interface ProgramWriter {
  /** With the SDK; null where one line cannot make the call. */
  withSdk(made: SdkCall, api: Api): string | null
  /** With what the language has for HTTP. */
  plain(sent: Sent, api: Api): string
}

export function keyVariable({ platform }: Pick<Api, 'platform'>): string {
  return `${platform.envPrefix}_API_KEY`
}

export function targetOf({ path, query }: Sent): string {
  return query === '' ? path : `${path}?${query}`
}

/** Lines under others. */
export function indented(text: string, unit: string): string {
  return text.replace(/^(?=.)/gm, unit)
}
