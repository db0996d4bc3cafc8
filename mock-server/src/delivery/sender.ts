/** Makes one attempt: a signed POST to an endpoint. */
import { createHmac } from 'node:crypto'
import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { isIP } from 'node:net'
import {
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '@support-chat/sdk/testing'
import { Agent, buildConnector, type Dispatcher, errors, ProxyAgent } from 'undici'
import type { Attempt, Job } from '../store/types.ts'
import { type AddressPolicy, refusalOf } from './address.ts'
import { exchange, type Limits, TimedOut } from './exchange.ts'
import { inWords } from './failures.ts'

export type { SignatureEncoding }

/** The headers of a delivery, in lower case, and what stands before the digest. */
export interface SignatureNames {
  header: string
  eventHeader: string
  prefix: string
}

/** How deliveries are signed. */
export interface Signing {
  encoding: SignatureEncoding
  /** @default those of the Support Chat contract */
  signature?: SignatureNames
  /** By the revision of the contract that an event follows. @default as above */
  revisions?: ReadonlyMap<string, Signing>
}

export interface SenderOptions extends AddressPolicy, Signing {
  /** How long an attempt may take, in milliseconds. */
  timeout?: number
  userAgent: string
  /**
   * The URL of an HTTP proxy to tunnel through (CONNECT). It looks names up, so it is the one that has to refuse private
   * addresses behind them. @default none
   */
  proxy?: string | undefined
  /** Accepts any certificate of a receiver. @default false */
  skipVerify?: boolean
  /** How names become addresses. */
  lookup?: typeof resolve
}

/** The result of an attempt, without its time, and whether a retry may help. */
export interface Result extends Omit<Attempt, 'at' | 'sent' | 'ms'> {
  retry: boolean
}

/** The result with what was sent. */
export type Sent = Result & Pick<Attempt, 'sent' | 'ms'>

const NAMES: SignatureNames = {
  header: SIGNATURE_HEADER,
  eventHeader: SIGNATURE_EVENT_HEADER,
  prefix: SIGNATURE_PREFIX,
}
/** Assumed: the service's timeout is not published. */
const TIMEOUT = 10_000
/** How long an idle connection is kept, in milliseconds. */
const KEEP_ALIVE = 4_000
/** How many parsed URLs are kept. */
const MAX_TARGETS = 1000

/** A request, without its target. */
export type Message = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body' | 'reset'>

/** Where a URL leads. */
interface Target {
  origin: string
  path: string
}

/** A target that must not be called. */
class Blocked extends Error {}

export class Sender {
  /** For the attempts that start from now on. */
  signing: Signing
  readonly #options: SenderOptions
  readonly #agent: Agent | ProxyAgent
  /** By URL, parsed once instead of for every event. */
  readonly #targets = new Map<string, Target | string>()

  constructor(options: SenderOptions) {
    this.#options = options
    this.signing = options
    if (options.proxy !== undefined) {
      this.#agent = new ProxyAgent({ uri: options.proxy, keepAliveTimeout: KEEP_ALIVE })
      return
    }
    // These options reach node:net. Those of `connect` below do not.
    const connect = buildConnector({
      timeout: options.timeout ?? TIMEOUT,
      lookup: this.#lookup,
      ...(options.skipVerify && { rejectUnauthorized: false }),
    } as buildConnector.BuildOptions)
    this.#agent = new Agent({
      keepAliveTimeout: KEEP_ALIVE,
      connect: (target, callback) => {
        // node:net does not look up IP addresses.
        const host = target.hostname.replace(/^\[|\]$/g, '')
        const refusal = isIP(host) ? refusalOf(host, options) : null
        if (refusal) callback(new Blocked(refusal), null)
        else connect(target, callback)
      },
    })
  }

  send(job: Pick<Job, 'endpoint' | 'event'>): Promise<Result> {
    return this.post(job.endpoint.url, this.headersOf(job), job.event.body)
  }

  headersOf({ endpoint, event }: Pick<Job, 'endpoint' | 'event'>): Record<string, string> {
    const { encoding, signature = NAMES } =
      this.signing.revisions?.get(event.revision ?? '') ?? this.signing
    const digest = createHmac('sha256', endpoint.secret).update(event.body).digest(encoding)
    return {
      'content-type': 'application/json',
      'user-agent': this.#options.userAgent,
      [signature.eventHeader]: event.kind,
      [signature.header]: signature.prefix + digest,
    }
  }

  post(target: string, headers: Record<string, string>, body: string): Promise<Result> {
    return this.request(target, { method: 'POST', headers, body })
  }

  /** Sends what need not be a delivery, to the same targets and with the same timeout. */
  async request(target: string, message: Message, limits?: Limits): Promise<Result> {
    const { timeout = TIMEOUT } = this.#options
    const found = this.#targetOf(target)
    if (typeof found === 'string') return failure(found, false)
    const refusal = this.#options.proxy === undefined ? null : this.#refusalOf(found)
    if (refusal) return failureOf(new Blocked(refusal), timeout)
    try {
      const response = await exchange(this.#agent, { ...found, ...message }, timeout, limits)
      return { ...response, reason: reasonFor(response.status), retry: response.status >= 500 }
    } catch (error) {
      return failureOf(error, timeout)
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #targetOf(text: string): Target | string {
    const known = this.#targets.get(text)
    if (known) return known
    if (this.#targets.size === MAX_TARGETS) this.#targets.clear()
    const target = targetOf(text)
    this.#targets.set(text, target)
    return target
  }

  /** Why an address that stands in a URL must not be called. Of a name, the proxy knows the addresses. */
  #refusalOf({ origin }: Target): string | null {
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
    return isIP(host) ? refusalOf(host, this.#options) : null
  }

  /** Checks the addresses of every connection, so that a name cannot change in between. */
  #lookup = (
    host: string,
    options: LookupOptions,
    callback: (error: Error | null, address?: string | LookupAddress[], family?: number) => void,
  ): void => {
    const lookup = this.#options.lookup ?? resolve
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error)
      // One refused address refuses the name: any of them may be called next.
      for (const { address } of addresses) {
        const refusal = refusalOf(address, this.#options)
        if (refusal) return callback(new Blocked(refusal))
      }
      const [first] = addresses
      if (options.all) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

/** Where a URL leads, or why it cannot be called. */
export function targetOf(text: string): Target | string {
  const url = URL.parse(text)
  if (!url) return 'the endpoint has no valid URL'
  if (!/^https?:$/.test(url.protocol)) return 'the endpoint has no HTTP URL'
  if (url.username || url.password)
    return 'the endpoint has a user name in its URL, which is not sent'
  return { origin: url.origin, path: url.pathname + url.search }
}

function reasonFor(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `${status}: redirects are not followed`
  return status >= 500 ? `${status}: the receiver failed` : `${status}: refused, not retried`
}

function failure(reason: string, retry: boolean): Result {
  return { status: null, reason, retry, headers: {}, body: '' }
}

function failureOf(error: unknown, timeout: number): Result {
  const { code, message, cause } = error as NodeJS.ErrnoException
  const blocked = [error, cause].find((one) => one instanceof Blocked)
  if (blocked) return failure(`blocked: ${(blocked as Blocked).message}`, false)
  if (error instanceof TimedOut || error instanceof errors.ConnectTimeoutError) {
    return failure(`no complete response within ${timeout / 1000} s`, true)
  }
  return failure(`the connection failed: ${inWords({ code, message })}`, true)
}
