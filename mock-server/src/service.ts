/** Everything that serves the revisions of a contract. The store and the deliveries outlive them. */
import { createApp, isCallOf } from './app.ts'
import { byCompiled } from './contract/compiled.ts'
import { DriftCheck } from './contract/drift.ts'
import { type Forms, formsOf, type Reported } from './contract/form.ts'
import type { Contract } from './contract/load.ts'
import { Problems } from './contract/problems.ts'
import type { Mocking } from './contract/respond.ts'
import { byPrism } from './contract/validate.ts'
import { controlOf, publishedFor } from './control/document.ts'
import type { GuardOptions } from './control/guard.ts'
import { healthRoute } from './control/health.ts'
import { DEFAULT_KEY } from './control/key.ts'
import { controlRoutes } from './control/routes.ts'
import { dashboardRoutes, isPage, pageKeyOf } from './dashboard/routes.ts'
import { ShownOnce } from './dashboard/shown-once.ts'
import { seededChance } from './delivery/schedule.ts'
import type { SenderOptions, SignatureEncoding } from './delivery/sender.ts'
import { credentialOf } from './door/auth.ts'
import type { Log } from './door/log.ts'
import type { Handler, HttpRequest } from './door/message.ts'
import type { Target } from './door/target.ts'
import { Faults } from './faults/faults.ts'
import { attemptOf, exchangeOf, noting } from './record/exchanges.ts'
import type { Recording } from './record/recording.ts'
import { RequestLog } from './requests/log.ts'
import { dispatch, type Served } from './revisions/dispatch.ts'
import { eventsOf, type Maker } from './revisions/events.ts'
import { modelOf } from './revisions/model.ts'
import { traced } from './revisions/renames.ts'
import { Bindings } from './sandbox/bindings.ts'
import type { OnAttempt } from './sandbox/engine.ts'
import { type EventSource, Events } from './sandbox/events.ts'
import { type Contracted, type Rename, type Revision, Sandboxes } from './sandbox/sandboxes.ts'
import { EMPTY, seedOf } from './sandbox/seed.ts'
import { readSeed } from './sandbox/seed-file.ts'
import { secretNamesOf } from './secret-names.ts'
import { openStore, type Place } from './store/open.ts'
import type { Seed } from './store/types.ts'

export interface ServiceOptions {
  host: string
  /** Fails requests whose response or event would contradict the contract. @default false */
  isStrict?: boolean | undefined
  /** How responses are made that do not come from the sandbox. */
  mocking?: Mocking | undefined
  /** Null to respond from the contract alone. */
  sandbox: SandboxOptions | null
  /** Records the calls of the API and the attempts to deliver events. @default nothing is recorded */
  recording?: Recording | undefined
  log: Log
}

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
}

/** What serves one revision of the contract. */
export interface Service {
  name: string
  contract: Contract
  handler: Handler
  /** Whether a request target is one of the API, also if it is unknown there: not a page, nor control. */
  isCall: (target: string) => boolean
  sandboxes: Sandboxes | null
  forms: Forms
}

/** What serves all of them. */
export interface Services {
  handler: Handler
  /** The first one serves requests that choose none. */
  all: readonly [Service, ...Service[]]
  kept: Kept
}

/** What clients have of a server beside the sandboxes. */
interface Kept {
  faults: Faults
  secrets: ShownOnce
  requests: RequestLog
}

export interface ServiceSetting {
  /** The oldest one first. */
  contracts: readonly Contract[]
  /** Of the contracts. */
  names: readonly string[]
  /** Whether they are the contract of this package. */
  isShipped: boolean
  options: ServiceOptions
  baseUrl: () => string
  /** The services whose place these take. They still handle the requests that they have. */
  before?: Services | undefined
}

/** A revision of the contract, with what it is served by. */
interface World {
  name: string
  contract: Contract
  renames: readonly Rename[]
  forms: Forms
  drift: DriftCheck | undefined
}

export async function servicesOf(setting: ServiceSetting): Promise<Services> {
  const { options, before } = setting
  const worlds = worldsOf(setting)
  const opened = options.sandbox && (await open(options.sandbox, worlds, setting))
  const kept = before?.kept ?? {
    faults: new Faults((turn) => seededChance(turn, 0)),
    secrets: new ShownOnce(),
    requests: new RequestLog(setting.baseUrl),
  }
  const served = worlds.map((world, index) => {
    return serviceOf(world, opened?.[index] ?? null, kept, setting)
  })
  const all = (await Promise.all(served)) as [Service, ...Service[]]
  const handler = noted(handlerOf(all, options.log), all, kept.requests, setting)
  kept.requests.handler = handler
  return { all, kept, handler }
}

/** A handler that logs and records its calls. Without a sandbox, nobody can read the log. */
function noted(
  handler: Handler,
  all: Services['all'],
  requests: RequestLog,
  { options: { sandbox, recording }, baseUrl }: ServiceSetting,
): Handler {
  if (!sandbox && !recording) return handler
  return noting(handler, {
    isNoted: (target) => all.some(({ isCall }) => isCall(target)),
    note: (call) => {
      if (sandbox) requests.add(call)
      recording?.add(exchangeOf(call, baseUrl()))
    },
    now: sandbox?.now,
  })
}

function worldsOf(setting: ServiceSetting): World[] {
  const { names, options, before } = setting
  const contracts = related(setting.contracts)
  return contracts.map(({ contract, renames }, index) => {
    const name = names[index] ?? ''
    const logged = new Set(before?.all[index]?.forms.report.all.map(textOf))
    const forms = formsOf(contract, (one) => {
      const { where, field, detail } = one
      if (!options.sandbox || logged.has(textOf(one))) return
      options.log.warn('the sandbox deviates from the contract', {
        ...(contracts.length > 1 && { revision: name }),
        where,
        field,
        detail,
      })
    })
    const drift = options.isStrict ? new DriftCheck(contract.description) : undefined
    if (!before) sayRenames(name, renames, options.log)
    return { name, contract, renames, forms, drift }
  })
}

/** Contracts whose marks say how the first one calls each part. */
function related(contracts: readonly Contract[]): Related[] {
  const all: Related[] = []
  for (const contract of contracts) {
    const before = all.at(-1)?.contract.description
    const { description, renames } = before
      ? traced(before, contract.description)
      : { ...contract, renames: [] }
    all.push({ contract: { ...contract, description }, renames })
  }
  return all
}

type Related = Pick<World, 'contract' | 'renames'>

/** Says which values are carried over though the contract does not say so. */
function sayRenames(revision: string, renames: readonly Rename[], log: Log): void {
  for (const { what, from, to, isCertain } of renames) {
    if (isCertain) continue
    log.warn(`a ${what} looks renamed, so its value is carried over`, { revision, from, to })
  }
}

async function serviceOf(
  world: World,
  sandboxes: Sandboxes | null,
  { faults, secrets, requests }: Kept,
  { isShipped, options, contracts, baseUrl }: ServiceSetting,
): Promise<Service> {
  const { host, mocking = {}, sandbox, recording, log } = options
  const { name, contract, forms, drift } = world
  const token = sandbox?.token ?? null
  const paths = contracts.flatMap(({ operations }) => operations.map(({ path }) => path))
  const parts = {
    host,
    scheme: new URL(baseUrl()).protocol,
    token,
    secrets,
    requests,
    faults,
    paths,
    contract,
    isShipped,
  }
  const own = sandboxes ? await ownRoutes(sandboxes, parts) : []
  const revision = sandboxes?.revision ?? null
  // On the contract of this package, both are known to agree.
  const check = isShipped ? byCompiled : byPrism
  const api = { sandboxes, problems: new Problems(forms), drift, faults, mocking, revision, check }
  const beside = [healthRoute(sandboxes), ...own]
  const handler = createApp(contract, api, beside, log)
  for (const one of [requests, recording]) one?.hide(secretNamesOf(contract))
  return { name, contract, handler, isCall: isCallOf(contract, beside), sandboxes, forms }
}

/** Handles requests by the only revision, or by the one that each of them chooses. */
function handlerOf(all: Services['all'], log: Log): Handler {
  const [first, ...others] = all
  if (others.length === 0) return first.handler
  const security = all.flatMap(({ contract }) => contract.operations.flatMap((one) => one.security))
  const keyOf = (request: HttpRequest, target: Target) => {
    if (isPage(target.path)) return pageKeyOf(request)
    return credentialOf([...security, [BEARER]], request, target) ?? DEFAULT_KEY
  }
  const served = all.map(({ name, handler, contract }) => {
    return { name, handler, requestIdHeader: contract.description.requestIdHeader }
  })
  return dispatch({
    revisions: served as [Served, ...Served[]],
    chosen: async (request, target) =>
      first.sandboxes?.chosen(keyOf(request, target)) ?? Promise.resolve(null),
    log,
  })
}

/** How the control API takes keys. */
const BEARER = { type: 'http', scheme: 'bearer' } as const

type Member = Maker & Revision & { sender: SenderOptions }

/** The same sandboxes for every revision. */
async function open(
  options: SandboxOptions,
  worlds: readonly World[],
  setting: ServiceSetting,
): Promise<Sandboxes[]> {
  const { isShipped, baseUrl, before } = setting
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
  const known = before?.all[0].sandboxes?.under(ofFirst)
  const sandboxes = known ?? (await opened(options, ofFirst, setting))
  return [sandboxes, ...ofOthers.map((one) => sandboxes.under(one))]
}

/** Opens the store. */
async function opened(
  options: SandboxOptions,
  contracted: Contracted,
  { names, options: { log, recording } }: ServiceSetting,
): Promise<Sandboxes> {
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
  return new Sandboxes({ ...contracted, store, timeScale, retention, log, now, onAttempt })
}

/** How deliveries are sent: signed as the contract says. */
function senderOf(
  { allowPrivate, encoding, attemptTimeout }: SandboxOptions,
  { description: { signature } }: Contract,
): SenderOptions {
  const [usual] = signature?.encodings.values ?? []
  return {
    allowPrivate,
    encoding: encoding ?? (usual as SignatureEncoding | undefined) ?? 'hex',
    userAgent: 'support-chat-mock',
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

interface OwnOptions extends GuardOptions {
  secrets: ShownOnce
  requests: RequestLog
  faults: Faults
  paths: readonly string[]
  contract: Contract
  isShipped: boolean
}

async function ownRoutes(sandboxes: Sandboxes, options: OwnOptions) {
  const { isShipped } = options
  const control = await controlOf(sandboxes.bindings, isShipped)
  return [
    ...controlRoutes(control.contract.operations, sandboxes, options),
    ...dashboardRoutes(sandboxes, { ...options, limits: control.limits }),
  ]
}

function textOf({ where, field, action }: Reported): string {
  return JSON.stringify([where, field, action])
}
