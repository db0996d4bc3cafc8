/** Certifies a receiver: sends it what the service may send, and what a stranger may. */

import {
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
} from '@support-chat/sdk/testing'
import type { Contract } from '../../contract/load.ts'
import { Sender, type SignatureEncoding, type SignatureNames } from '../../delivery/sender.ts'
import type { Bindings } from '../../sandbox/bindings.ts'
import { type Begun, reportOf } from '../report.ts'
import { THRESHOLDS, type Thresholds } from '../thresholds.ts'
import { type Judgement, type Report, unseen } from '../types.ts'
import type { Check } from './check.ts'
import { RECEIVER_CHECKS } from './checks.ts'
import { Effects, readerOver } from './effects.ts'
import { Maker } from './maker.ts'
import { Interrupted, Stage } from './stage.ts'
import { timingsOf } from './times.ts'

export interface ReceiverOptions {
  url: string
  /** The newest first. */
  secrets: readonly [string, ...string[]]
  /** A URL that lists the IDs of the events that were handled. @default none */
  effects?: string | undefined
  /** Whether the receiver may be outside of private networks. @default false */
  allowPublic?: boolean | undefined
  /** Accepts any certificate of the receiver. @default false */
  skipVerify?: boolean | undefined
  thresholds?: Partial<Thresholds> | undefined
  /** Ends the run early; what was judged is reported. */
  stopping?: AbortSignal | undefined
}

/** What the events are made of. */
export interface Source {
  contract: Pick<Contract, 'operations'>
  bindings: Bindings
  /** The URL of a sandbox that runs meanwhile. */
  baseUrl: string
  /** Of this package. */
  version: string
}

/** The receiver must not be called, or the contract has no events. The message says what to do. */
export class Unusable extends Error {}

const NAMES: SignatureNames = {
  header: SIGNATURE_HEADER,
  eventHeader: SIGNATURE_EVENT_HEADER,
  prefix: SIGNATURE_PREFIX,
}

export async function certifyReceiver(options: ReceiverOptions, source: Source): Promise<Report> {
  const thresholds = { ...THRESHOLDS, ...options.thresholds }
  const { description } = source.bindings.forms
  if (description.kinds.length === 0) throw new Unusable('The contract has no events.')
  const { signature } = description
  const encodings = (signature?.encodings.values ?? ['hex']) as SignatureEncoding[]
  const names = signature
    ? {
        header: signature.header.toLowerCase(),
        eventHeader: signature.event_header.toLowerCase(),
        prefix: signature.prefix,
      }
    : NAMES
  const sender = new Sender({
    allowPrivate: true,
    allowPublic: options.allowPublic ?? false,
    skipVerify: options.skipVerify ?? false,
    timeout: thresholds.attempt,
    encoding: encodings[0] ?? 'hex',
    signature: names,
    userAgent: 'support-chat-mock',
  })
  const effects =
    options.effects === undefined ? null : new Effects(options.effects, readerOver(sender))
  const begun: Begun = { at: Date.now(), from: performance.now() }
  try {
    await effects?.now()
    const stage = new Stage({
      url: options.url,
      secrets: options.secrets,
      signature: names,
      encodings,
      sender,
      maker: new Maker({ bindings: source.bindings, urlOf: urlsOf(source) }),
      effects,
      thresholds,
      stopping: options.stopping ?? new AbortController().signal,
    })
    const { judgements, isComplete } = await play(stage)
    return reportOf(
      {
        side: 'receiver',
        target: withoutSecrets(options.url),
        contract: { title: description.title, version: description.version },
        version: source.version,
        checks: RECEIVER_CHECKS,
        judgements,
        isComplete,
        timings: timingsOf(stage),
      },
      begun,
    )
  } finally {
    await sender.close()
  }
}

async function play(stage: Stage): Promise<{ judgements: Judgement[]; isComplete: boolean }> {
  const judgements: Judgement[] = []
  let isComplete = true
  for (const check of RECEIVER_CHECKS) {
    const judgement: Judgement = isComplete ? await judgementOf(check, stage) : GONE
    if (judgement === GONE) isComplete = false
    judgements.push(judgement === GONE ? goneOf(check, stage) : judgement)
    const [first] = stage.exchanges
    if (first?.answer.reason?.startsWith('blocked'))
      throw new Unusable(blocked(first.answer.reason))
    // Nothing else can be learnt of a URL where nobody responds.
    if (judgements.length === 1 && judgement.verdict === 'fail') isComplete = false
  }
  return { judgements, isComplete }
}

const GONE = unseen('The run ended before this check.')
/** The checks that say what ended the run. */
const ENDINGS = ['stays-up', 'responds-in-time']

async function judgementOf(check: Check, stage: Stage): Promise<Judgement> {
  try {
    return await check.play(stage)
  } catch (error) {
    if (error instanceof Interrupted) return GONE
    throw error
  }
}

/** A check after the receiver stopped responding. */
function goneOf({ id }: Check, { exchanges, options }: Stage): Judgement {
  const last = exchanges.at(-1)?.answer
  if (options.stopping.aborted || exchanges.length <= 1) return GONE
  const isLate = /no complete response/.test(last?.reason ?? '')
  if (!ENDINGS.includes(id) || last?.status !== null || (id === 'responds-in-time' && !isLate))
    return GONE
  const seen = `no response any more: ${last.reason}`
  return { verdict: 'fail', sent: 'the requests of this run, which ended here', seen }
}

function blocked(reason: string): string {
  return `The receiver is not called: ${reason}. This command sends forged and broken requests, so it calls loopback and private addresses only. For a receiver that is not in production, add --allow-public.`
}

/** The URLs of conversations, so that a receiver can get them. */
function urlsOf({ contract, bindings, baseUrl }: Source): (conversation: string) => string {
  const { method, path } = bindings.operation('get')?.described ?? {}
  const found = contract.operations.find((one) => one.method === method && one.prism.path === path)
  return (id) => baseUrl + (found?.path ?? '').replace(/\{[^}]*\}/, encodeURIComponent(id))
}

/** A URL as reports have it: its query may hold a token. */
export function withoutSecrets(text: string): string {
  const { origin, pathname, search } = new URL(text)
  return origin + pathname + (search && '?…')
}
