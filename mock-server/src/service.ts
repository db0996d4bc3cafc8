/** Everything that serves the revisions of a contract. The store and the deliveries outlive them. */
import { createApp, isCallOf } from './app.ts'
import { byCompiled } from './contract/compiled.ts'
import { DriftCheck } from './contract/drift.ts'
import { type Forms, formsOf, type Reported } from './contract/form.ts'
import type { Contract } from './contract/load.ts'
import { Problems } from './contract/problems.ts'
import type { Mocking } from './contract/respond.ts'
import { byPrism } from './contract/validate.ts'
import { controlOf } from './control/document.ts'
import { type GuardOptions, guard } from './control/guard.ts'
import { healthRoutes, type State } from './control/health.ts'
import { DEFAULT_KEY } from './control/key.ts'
import { controlRoutes } from './control/routes.ts'
import { dashboardRoutes, isPage, pageKeyOf } from './dashboard/routes.ts'
import { ShownOnce } from './dashboard/shown-once.ts'
import { seededChance } from './delivery/schedule.ts'
import { authenticate, credentialOf } from './door/auth.ts'
import type { Log } from './door/log.ts'
import type { Handler, HttpRequest } from './door/message.ts'
import { Problem } from './door/problem.ts'
import type { Target } from './door/target.ts'
import { Faults } from './faults/faults.ts'
import { checkAdmin } from './hosted/admin.ts'
import type { Hosting } from './hosted/hosting.ts'
import { isMonitoring, monitoringOnly } from './hosted/worker-door.ts'
import { Metrics } from './metrics/metrics.ts'
import { metricsRoute } from './metrics/route.ts'
import {
  type Opened,
  type Opening,
  openSandboxes,
  type SandboxOptions,
  type World,
} from './open-sandboxes.ts'
import { exchangeOf, noting } from './record/exchanges.ts'
import type { Recording } from './record/recording.ts'
import { RequestLog } from './requests/log.ts'
import { Requests } from './requests/requests.ts'
import { dispatch, type Served } from './revisions/dispatch.ts'
import { traced } from './revisions/renames.ts'
import type { Rename, Sandboxes } from './sandbox/sandboxes.ts'
import { secretNamesOf } from './secret-names.ts'
import { ALONE } from './store/peers.ts'
import { type Tracer, UNTRACED } from './tracing/tracer.ts'

export interface ServiceOptions {
  host: string
  /** Fails requests whose response or event would contradict the contract. @default false */
  isStrict?: boolean | undefined
  /** How responses are made that do not come from the sandbox. */
  mocking?: Mocking | undefined
  /** Null to respond from the contract alone. */
  sandbox: SandboxOptions | null
  /** Traces requests, events and attempts. @default nothing is traced */
  tracer?: Tracer | undefined
  /** Records the calls of the API and the attempts to deliver events. @default nothing is recorded */
  recording?: Recording | undefined
  log: Log
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
  /** What this process handled. */
  log: RequestLog
  requests: Requests
  /** Undefined where every key has a sandbox. */
  hosting: Hosting | undefined
  metrics: Metrics
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
  state: State
  /** The services whose place these take. They still handle the requests that they have. */
  before?: Services | undefined
}

export async function servicesOf(setting: ServiceSetting): Promise<Services> {
  const { options, before } = setting
  const worlds = worldsOf(setting)
  const metrics = before?.kept.metrics ?? new Metrics()
  if (options.sandbox?.hosted) await metrics.start()
  const opening = openingOf(setting, metrics)
  const opened = options.sandbox && (await openSandboxes(options.sandbox, worlds, opening))
  const kept = before?.kept ?? keptOf(opened, metrics, setting)
  const served = worlds.map((world, index) => {
    return serviceOf(world, opened?.sandboxes[index] ?? null, kept, setting)
  })
  const all = (await Promise.all(served)) as [Service, ...Service[]]
  const door = options.sandbox?.hosted?.role === 'worker' ? monitoringOnly : asIs
  const inner = noted(handlerOf(all, kept, options.log), all, kept.log, setting)
  const counted = metrics.counting(door(inner), isMonitoring)
  const handler = (options.tracer ?? UNTRACED).serving(counted, isMonitoring)
  kept.log.handler = handler
  return { all, kept, handler }
}

function keptOf(opened: Opened | null, metrics: Metrics, { baseUrl }: ServiceSetting): Kept {
  const hosting = opened?.hosting
  const store = opened?.sandboxes[0]?.store
  const log = new RequestLog(baseUrl, hosting !== undefined)
  return {
    faults: new Faults((turn) => seededChance(turn, 0), store?.notes),
    secrets: new ShownOnce(store?.peers),
    log,
    requests: new Requests(log, store?.peers ?? ALONE),
    hosting,
    metrics,
  }
}

const asIs = (handler: Handler) => handler

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

function openingOf({ options, before, ...setting }: ServiceSetting, metrics: Metrics): Opening {
  const { recording, tracer, log } = options
  const sandboxes = before?.all.flatMap(({ sandboxes }) => sandboxes ?? [])
  return {
    ...setting,
    recording,
    metrics,
    tracer,
    log,
    before: sandboxes && { sandboxes, hosting: before?.kept.hosting },
  }
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
  { faults, secrets, log: calls, requests, hosting, metrics }: Kept,
  { isShipped, options, contracts, baseUrl, state }: ServiceSetting,
): Promise<Service> {
  const { host, mocking = {}, sandbox, recording, log } = options
  const { name, contract, forms, drift } = world
  const token = sandbox?.token ?? null
  const paths = contracts.flatMap(({ operations }) => operations.map(({ path }) => path))
  const parts = {
    host: hosting ? new URL(baseUrl()).hostname : host,
    scheme: new URL(baseUrl()).protocol,
    token,
    usualKey: hosting ? null : DEFAULT_KEY,
    secrets,
    requests,
    faults,
    paths,
    contract,
    isShipped,
  }
  const own = sandboxes ? await ownRoutes(sandboxes, parts) : []
  const admit = (request: HttpRequest, target: Target) => {
    if (!hosting) return guard(request, parts)
    checkAdmin(authenticate([[BEARER]], request, target), hosting.options.adminToken)
  }
  const revision = sandboxes?.revision ?? null
  // On the contract of this package, both are known to agree.
  const check = isShipped ? byCompiled : byPrism
  const api = { sandboxes, problems: new Problems(forms), drift, faults, mocking, revision, check }
  const beside = [
    ...healthRoutes(sandboxes, state, hosting !== undefined),
    metricsRoute(metrics, sandboxes?.store ?? null, admit),
    ...own,
    ...((await hosting?.routes()) ?? []),
  ]
  const handler = createApp(contract, api, beside, log)
  for (const one of [calls, recording]) one?.hide(secretNamesOf(contract))
  return { name, contract, handler, isCall: isCallOf(contract, beside), sandboxes, forms }
}

/** Handles requests by the only revision, or by the one that each of them chooses. */
function handlerOf(all: Services['all'], { hosting }: Kept, log: Log): Handler {
  const [first, ...others] = all
  if (others.length === 0) return first.handler
  const security = all.flatMap(({ contract }) => contract.operations.flatMap((one) => one.security))
  const keyOf = (request: HttpRequest, target: Target) => {
    const usual = hosting ? '' : DEFAULT_KEY
    if (isPage(target.path)) return pageKeyOf(request) ?? usual
    return credentialOf([...security, [BEARER]], request, target) ?? usual
  }
  const served = all.map(({ name, handler, contract }) => {
    return { name, handler, requestIdHeader: contract.description.requestIdHeader }
  })
  return dispatch({
    revisions: served as [Served, ...Served[]],
    chosen: async (request, target) =>
      first.sandboxes?.chosen(keyOf(request, target)).catch(chosenByNone) ?? Promise.resolve(null),
    log,
  })
}

/** A key that does not work has chosen nothing. Whoever handles the request refuses it. */
function chosenByNone(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

/** How the control API takes keys. */
const BEARER = { type: 'http', scheme: 'bearer' } as const

interface OwnOptions extends GuardOptions {
  secrets: ShownOnce
  requests: Requests
  faults: Faults
  usualKey: string | null
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
