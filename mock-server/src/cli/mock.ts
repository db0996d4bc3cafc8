/** A client of a running mock server, for the commands that control one. */
import type { Command } from 'commander'
import { DEFAULT_KEY } from '../control/key.ts'
import { inWords } from '../delivery/failures.ts'
import { isLiveKey } from '../door/auth.ts'
import { InputError } from './inputs.ts'
import { nearest } from './nearest.ts'
import { readToken } from './token.ts'

/** The options of all these commands. */
export interface MockOptions {
  url?: string
  controlTokenEnv?: string
  /** Acts as the administrator instead of with an API key. */
  adminTokenEnv?: string
  revision?: string
  json?: true
}

/** A request that the mock server refused or did not receive. The message is for the user. */
export class MockError extends Error {
  /** Null if there was no response. */
  readonly status: number | null
  readonly code: string | undefined

  constructor(message: string, status: number | null, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

interface Reason {
  parameter?: string
  pointer?: string
  code?: string
  message: string
}

interface Problem {
  code?: string
  detail?: string
  errors?: Reason[]
}

const DEFAULT_URL = 'http://127.0.0.1:4010'
/** How long a response may take: advancing the clock waits for receivers that time out, one by one. */
const TIMEOUT = 10 * 60_000

/** Adds the options of all commands that talk to a running mock server. */
export function withMock(command: Command): Command {
  return command
    .option(
      '--url <url>',
      `the running mock server (default: SUPPORT_CHAT_BASE_URL, else ${DEFAULT_URL})`,
    )
    .option('--control-token-env <name>', 'the variable that holds the control token of the server')
    .option('--revision <name>', 'the revision of the contract, if the server has several')
    .option('--json', 'print JSON')
}

export class Mock {
  /** Without a path. */
  readonly url: string
  readonly #headers: Record<string, string>
  /** What the server said about the last request that it accepted; empty for nothing. */
  warning = ''

  /**
   * @param environment Provides the URL and the API key if the options do not.
   * @throws {InputError} for a live key, a malformed URL or a missing token
   */
  constructor(
    { url, controlTokenEnv, adminTokenEnv, revision }: MockOptions,
    environment = process.env,
  ) {
    this.url = originOf(url ?? (environment.SUPPORT_CHAT_BASE_URL || DEFAULT_URL))
    const key = environment.SUPPORT_CHAT_API_KEY || DEFAULT_KEY
    if (isLiveKey(key)) {
      throw new InputError(
        'SUPPORT_CHAT_API_KEY holds a live key. Never send a live key to a mock server. Set a test key, or unset the variable.',
      )
    }
    const token = adminTokenEnv && readToken(adminTokenEnv, environment, '--admin-token-env')
    this.#headers = {
      authorization: `Bearer ${token ?? key}`,
      ...(revision !== undefined && { 'x-mock-revision': revision }),
      ...(controlTokenEnv && { 'x-mock-token': readToken(controlTokenEnv, environment) }),
    }
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>(path, { method: 'GET' })
  }

  /** A response that is text. */
  text(path: string): Promise<string> {
    return this.#call(path, { method: 'GET' }, (text) => text)
  }

  /** @throws {MockError}, and {InputError} for a kind of event that the server does not have */
  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    return this.#send<T>('POST', path, body, signal)
  }

  /** @throws {MockError} */
  patch<T>(path: string, body: object): Promise<T> {
    return this.#send<T>('PATCH', path, body)
  }

  /** @throws {MockError} */
  delete(path: string): Promise<void> {
    return this.#call<void>(path, { method: 'DELETE' })
  }

  /** Sends a request, whatever its response says. Redirects may lead to other servers. */
  send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) }
    const signal = AbortSignal.timeout(TIMEOUT)
    return fetch(this.url + path, { ...init, headers, redirect: 'manual', signal })
  }

  #send<T>(method: string, path: string, body: object, signal?: AbortSignal): Promise<T> {
    return this.#call<T>(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  }

  async #call<T>(path: string, init: RequestInit, read = JSON.parse): Promise<T> {
    const headers = { ...init.headers, ...this.#headers }
    try {
      const signal = init.signal ?? AbortSignal.timeout(TIMEOUT)
      const response = await fetch(this.url + path, { ...init, headers, signal })
      const text = await response.text()
      if (response.ok) {
        const body = text === '' ? undefined : read(text)
        this.warning = decodeURIComponent(response.headers.get('x-mock-warning') ?? '')
        // The contract may call an id otherwise.
        const id = response.headers.get('x-mock-id')
        return (id === null ? body : { ...body, id }) as T
      }
      throw this.#refusal(response, text, init.body)
    } catch (error) {
      const isKnown = error instanceof MockError || error instanceof InputError
      throw isKnown ? error : new MockError(this.#absence(error), null)
    }
  }

  #refusal(response: Response, text: string, sent: unknown): MockError {
    const isProblem = response.headers.get('content-type') === 'application/problem+json'
    const { code }: Problem = isProblem ? JSON.parse(text) : {}
    return new MockError(this.#explain(response, text, sent), response.status, code)
  }

  #explain({ status, headers }: Response, text: string, sent: unknown): string {
    if (headers.get('content-type') !== 'application/problem+json') {
      return `The server at ${this.url} is not a mock server: it returned ${status}. Set the URL of one with --url.`
    }
    const { code, detail = '', errors = [] }: Problem = JSON.parse(text)
    const wrong = errors.find(isAboutKind)
    if (wrong) {
      const kinds = wrong.message.split(': ').at(-1) ?? ''
      const meant = nearest(kindIn(sent), kinds.split(', '))
      const hint = meant ? ` Did you mean ${meant}?` : ''
      throw new InputError(
        `This is not a kind of event of the mock server.${hint} Use one of: ${kinds}.`,
      )
    }
    if (code === 'token_missing') {
      return `${detail} Pass the name of its variable with --control-token-env.`
    }
    if (status === 404 && detail.startsWith('No path matches')) {
      return `The mock server at ${this.url} has no sandbox. Start it without --stateless.`
    }
    const reasons = errors.map(
      ({ parameter, pointer, message }) => `\n  ${parameter ?? (pointer || 'the body')} ${message}`,
    )
    return detail + reasons.join('')
  }

  #absence(error: unknown): string {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    if (error instanceof SyntaxError) {
      return `The server at ${this.url} is not a mock server. Set the URL of one with --url.`
    }
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
      return `No mock server is running at ${this.url}. Start one with \`support-chat-mock serve\`, or set another URL with --url.`
    }
    const why =
      (error as Error).name === 'TimeoutError'
        ? 'no response within 10 minutes'
        : inWords({ code, message })
    return `The mock server at ${this.url} does not respond (${why}).`
  }
}

/** The kind that a body names. */
function kindIn(sent: unknown): string {
  const { kind = '', events = [] } = typeof sent === 'string' ? JSON.parse(sent) : {}
  return kind || events.at(0) || ''
}

/** Whether a request named a kind that the server's contract does not have. */
function isAboutKind({ parameter, pointer = '', code }: Reason): boolean {
  return code === 'enum' && (parameter === 'kind' || /^\/(?:kind$|events\/)/.test(pointer))
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new InputError(
    `${JSON.stringify(text)} is not the URL of a mock server. Use a URL such as ${DEFAULT_URL}.`,
  )
}
