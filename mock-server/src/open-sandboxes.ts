/** Opens the sandboxes that serve the revisions of a contract. */
import type { DriftCheck } from './contract/drift.ts'
import type { Forms } from './contract/form.ts'
import type { Contract } from './contract/load.ts'
import { publishedFor } from './control/document.ts'
import type { SenderOptions, SignatureEncoding } from './delivery/sender.ts'
import type { Log } from './door/log.ts'
import { Hosting } from './hosted/hosting.ts'
import type { HostedOptions } from './hosted/options.ts'
import type { Metrics } from './metrics/metrics.ts'
import { attemptOf } from './record/exchanges.ts'
import type { Recording } from './record/recording.ts'
import { eventsOf, type Maker } from './revisions/events.ts'
import { modelOf } from './revisions/model.ts'
import { Bindings } from './sandbox/bindings.ts'
import type { OnAttempt } from './sandbox/engine.ts'
import { type EventSource, Events } from './sandbox/events.ts'
import { type Contracted, type Rename, type Revision, Sandboxes } from './sandbox/sandboxes.ts'
import { EMPTY, seedOf } from './sandbox/seed.ts'
import { readSeed } from './sandbox/seed-file.ts'
import { openStore, type Place } from './store/open.ts'
import type { Outcome, Seed } from './store/types.ts'
import type { Tracer } from './tracing/tracer.ts'

export interface SandboxOptions {
  /** Where the data is. */
  store: Place
  /** The data of a new sandbox. @default the contract's examples */
  seed?: Seed | 'empty' | { file: string | object } | undefined
  /** The control token. @default none */
  token?: string | undefined
  /** Allows deliveries to loopback and private networks. */
  allowPrivate: boolean
  /** @default the first that the contract names, else hex */
  encoding?: SignatureEncoding | undefined
  /** The timeout of a delivery attempt, in milliseconds. @default 10,000 */
  attemptTimeout?: number | undefined
  /** Multiplies each wait between attempts. @default 1 */
  timeScale?: number | undefined
  /** How long events and succeeded deliveries are kept, in milliseconds. @default 30 days */
  retention?: number | undefined
  /** The clock, in milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined
  /** Serves tenants, each with a key that was issued. @default every key has a sandbox */
  hosted?: HostedOptions | undefined
}

/** A revision of the contract, with what it is served by. */
export interface World {
  name: string
  contract: Contract
  renames: readonly Rename[]
  forms: Forms
  drift: DriftCheck | undefined
}

/** What the sandboxes are opened for. */
export interface Opening {
  /** The names of the contracts, the oldest one first. */
  names: readonly string[]
  /** Whether they are the contract of this package. */
  isShipped: boolean
  baseUrl: () => string
  recording: Recording | undefined
  metrics: Metrics
  tracer: Tracer | undefined
  log: Log
  /** The sandboxes whose place these take. */
  before: Opened | undefined
}

export interface Opened {
  /** Under each revision. */
  sandboxes: readonly Sandboxes[]
  /** Undefined where every key has a sandbox. */
  hosting: Hosting | undefined
}

type Member = Maker & Revision & { sender: SenderOptions }

/** The same sandboxes for every revision. */
export async function openSandboxes(
  options: SandboxOptions,
  worlds: readonly World[],
  opening: Opening,
): Promise<Opened> {
  const { isShipped, baseUrl, before } = opening
  const makers = worlds.map(({ name, contract, renames, forms, drift }) => {
    const bindings = new Bindings(forms)
    const path = pathOf(contract, bindings)
    const urlOf = (id: string) => baseUrl() + path.replace(/\{[^}]*\}/, encodeURIComponent(id))
    return { name, bindings, renames, drift, urlOf, sender: senderOf(options, contract) }
  }) as [Member, ...Member[]]
  const [first, ...others] = makers
  const isOnly = others.length === 0
  const model = modelOf([first.bindings, ...others.map(({ bindings }) => bindings)])
  const sources = isOnly ? [new Events(first)] : eventsOf(makers)
  const shared = {
    seed: await seedFor(options.seed, model, isShipped),
    ids: model.ids,
    revisions: makers,
    sender: {
      ...first.sender,
      ...(!isOnly && { revisions: new Map(others.map(({ name, sender }) => [name, sender])) }),
    },
  }
  const contracted = makers.map(({ name, bindings, drift }, index): Contracted => {
    const revision = isOnly ? null : name
    return { ...shared, revision, bindings, drift, events: sources[index] as EventSource }
  }) as [Contracted, ...Contracted[]]
  const [ofFirst, ...ofOthers] = contracted
  const known = before?.sandboxes[0]?.under(ofFirst)
  const { sandboxes, hosting } = known
    ? { sandboxes: known, hosting: before?.hosting }
    : await opened(options, ofFirst, opening)
  return { sandboxes: [sandboxes, ...ofOthers.map((one) => sandboxes.under(one))], hosting }
}

/** Opens the store. */
async function opened(
  options: SandboxOptions,
  contracted: Contracted,
  { names, log, recording, metrics, tracer }: Opening,
): Promise<{ sandboxes: Sandboxes; hosting: Hosting | undefined }> {
  const { seed, timeScale, retention, now } = options
  const store = await openStore(options.store, { now }, async (store) => {
    const sandboxes = await store.sandboxes.count()
    if (seed !== undefined && sandboxes > 0) {
      log.warn(
        'existing sandboxes keep their data: --seed and --empty apply to new sandboxes and after a reset',
        { sandboxes },
      )
    }
    const lost = (await store.revisions()).filter((name) => !names.includes(name))
    if (lost.length > 0) {
      log.warn('endpoints and keys of revisions that are not served get the first contract', {
        revisions: lost,
      })
    }
  })
  const onAttempt: OnAttempt | undefined =
    recording && ((...attempt) => recording.add(attemptOf(...attempt)))
  const hosting = options.hosted && new Hosting(options.hosted, store)
  const gate = hosting?.gate
  const onOutcome = (outcome: Outcome) => metrics.attempted(outcome)
  const engine = { store, timeScale, retention, log, now, onAttempt, onOutcome, gate, tracer }
  return { sandboxes: new Sandboxes({ ...contracted, ...engine }), hosting }
}

/** How deliveries are sent: signed as the contract says. */
function senderOf(
  { allowPrivate, encoding, attemptTimeout, hosted }: SandboxOptions,
  { description: { signature } }: Contract,
): SenderOptions {
  const [usual] = signature?.encodings.values ?? []
  return {
    allowPrivate,
    encoding: encoding ?? (usual as SignatureEncoding | undefined) ?? 'hex',
    userAgent: 'support-chat-mock',
    proxy: hosted?.egressProxy,
    ...(attemptTimeout !== undefined && { timeout: attemptTimeout }),
    ...(signature && {
      signature: {
        header: signature.header.toLowerCase(),
        eventHeader: signature.event_header.toLowerCase(),
        prefix: signature.prefix,
      },
    }),
  }
}

/** The data of a new sandbox. */
async function seedFor(
  seed: SandboxOptions['seed'],
  bindings: Bindings,
  isShipped: boolean,
): Promise<Seed> {
  if (seed === undefined) return seedOf(bindings)
  if (seed === 'empty') return EMPTY
  if (!('file' in seed)) return seed
  const schema = isShipped ? undefined : (await publishedFor(bindings)).seed
  return readSeed(seed.file, { schema, form: bindings.operation('get')?.form ?? undefined })
}

/** The path template of a conversation; empty if the contract has none. */
function pathOf({ operations }: Contract, bindings: Bindings): string {
  const { described } = bindings.operation('get') ?? {}
  const found = operations.find(
    ({ method, prism }) => method === described?.method && prism.path === described.path,
  )
  return found?.path ?? ''
}
