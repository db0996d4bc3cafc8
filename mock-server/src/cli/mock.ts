/** A running mock server, as the commands that control one talk to it. */
import type { Command } from 'commander'
import { DEFAULT_KEY } from '../control/key.ts'
import { isLiveKey } from '../door/auth.ts'
import { InputError } from './inputs.ts'
import { readToken } from './token.ts'

/** The options that all of these commands have. */
export interface MockOptions {
  url?: string
  controlTokenEnv?: string
  json?: true
}

/** The mock server refused, or there is none; the message says so to whoever typed the command. */
export class MockError extends Error {
  /** Null where there was no answer. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}

interface Problem {
  detail?: string
  errors?: Array<{ parameter?: string; pointer?: string; message: string }>
}

const DEFAULT_URL = 'http://127.0.0.1:4010'
/** How long an answer may take: the clock waits for receivers that time out, one after the other. */
const TIMEOUT = 10 * 60_000

/** Adds the options of all commands that talk to a running mock server. */
export function withMock(command: Command): Command {
  return command
    .option(
      '--url <url>',
      `the running mock server (default: SUPPORT_CHAT_BASE_URL, else ${DEFAULT_URL})`,
    )
    .option('--control-token-env <name>', 'the variable with the token that it was started with')
    .option('--json', 'print JSON for programs')
}

export class Mock {
  /** Without a path. */
  readonly url: string
  readonly #headers: Record<string, string>

  /**
   * @param environment Names the server and the key where the options do not.
   * @throws {InputError} for what must not be sent or cannot be read
   */
  constructor({ url, controlTokenEnv }: MockOptions, environment = process.env) {
    this.url = originOf(url ?? (environment.SUPPORT_CHAT_BASE_URL || DEFAULT_URL))
    const key = environment.SUPPORT_CHAT_API_KEY || DEFAULT_KEY
    if (isLiveKey(key)) {
      throw new InputError(
        'SUPPORT_CHAT_API_KEY holds a live key, which no mock server may see. Set it to a test key, or unset it.',
      )
    }
    this.#headers = {
      authorization: `Bearer ${key}`,
      ...(controlTokenEnv && { 'x-mock-token': readToken(controlTokenEnv, environment) }),
    }
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>(path, { method: 'GET' })
  }

  /** @throws {MockError} */
  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    return this.#call<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  async #call<T>(path: string, init: RequestInit): Promise<T> {
    const headers = { ...init.headers, ...this.#headers }
    try {
      const signal = init.signal ?? AbortSignal.timeout(TIMEOUT)
      const response = await fetch(this.url + path, { ...init, headers, signal })
      const text = await response.text()
      if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
      throw new MockError(this.#explain(response, text), response.status)
    } catch (error) {
      throw error instanceof MockError ? error : new MockError(this.#absence(error), null)
    }
  }

  #explain({ status, headers }: Response, text: string): string {
    if (headers.get('content-type') !== 'application/problem+json') {
      return `What answers at ${this.url} (${status}) is no mock server. Name one with --url.`
    }
    const { detail = '', errors = [] }: Problem = JSON.parse(text)
    if (status === 401) return `${detail} Name its variable with --control-token-env.`
    if (status === 404 && detail.startsWith('There is no path')) {
      return `The mock server at ${this.url} has no sandbox: start it without --stateless.`
    }
    const reasons = errors.map(
      ({ parameter, pointer, message }) => `\n  ${parameter ?? (pointer || 'the body')} ${message}`,
    )
    return detail + reasons.join('')
  }

  #absence(error: unknown): string {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    if (error instanceof SyntaxError) {
      return `What answers at ${this.url} is no mock server. Name one with --url.`
    }
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
      return `No mock server answers at ${this.url}. Start one with \`support-chat-mock serve\`, or name another with --url.`
    }
    const why =
      (error as Error).name === 'TimeoutError' ? 'not within 10 minutes' : (code ?? message)
    return `The mock server at ${this.url} does not answer (${why}).`
  }
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new InputError(
    `${JSON.stringify(text)} is no URL of a mock server. Write it as ${DEFAULT_URL}.`,
  )
}
