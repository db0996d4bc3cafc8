/** Everything that serves one contract. The store and the deliveries outlive it. */
import type { RouteHandler } from './api.ts'
import { createApp } from './app.ts'
import { DriftCheck } from './contract/drift.ts'
import { type Forms, formsOf, type Reported } from './contract/form.ts'
import type { Contract } from './contract/load.ts'
import { Problems } from './contract/problems.ts'
import { controlOf, publishedFor } from './control/document.ts'
import type { GuardOptions } from './control/guard.ts'
import { healthRoute } from './control/health.ts'
import { controlRoutes } from './control/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { ShownOnce } from './dashboard/shown-once.ts'
import { seededChance } from './delivery/schedule.ts'
import type { SenderOptions, SignatureEncoding } from './delivery/sender.ts'
import { Faults } from './door/fault.ts'
import type { Log } from './door/log.ts'
import type { Handler } from './door/message.ts'
import { createRouter, type Route } from './door/router.ts'
import { pages } from './pages/pages.ts'
import { noteAttempt, noting } from './record/exchanges.ts'
import type { Recording } from './record/recording.ts'
import { Bindings } from './sandbox/bindings.ts'
import type { OnAttempt } from './sandbox/engine.ts'
import { type Contracted, Sandboxes } from './sandbox/sandboxes.ts'
import { EMPTY, seedOf } from './sandbox/seed.ts'
import { readSeed } from './sandbox/seed-file.ts'
import { SqliteStore } from './store/sqlite/index.ts'
import type { Seed } from './store/types.ts'

export interface ServiceOptions {
  host: string
  /** Fails requests whose response or event would contradict the contract. @default false */
  isStrict?: boolean | undefined
  /** Null to respond from the contract alone. */
  sandbox: SandboxOptions | null
  /** Records the calls of the API and the attempts to deliver events. @default nothing is recorded */
  recording?: Recording | undefined
  log: Log
}

export interface SandboxOptions {
  /** The path of a SQLite file, or `:memory:`. */
  file: string
  /** Whether acknowledged data survives a power failure. @default false */
  isDurable?: boolean | undefined
  /** The data of a new sandbox. @default the contract's examples */
  seed?: Seed | 'empty' | { file: string } | undefined
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

/** What serves a contract. */
export interface Service {
  contract: Contract
  handler: Handler
  sandboxes: Sandboxes | null
  forms: Forms
  kept: Kept
}

/** What clients have of a service beside the sandboxes. */
interface Kept {
  faults: Faults
  secrets: ShownOnce
}

export interface ServiceSetting {
  contract: Contract
  /** Whether it is the contract of this package. */
  isShipped: boolean
  options: ServiceOptions
  baseUrl: () => string
  /** The service whose place this one takes. It still handles the requests that it has. */
  before?: Service | undefined
}

export async function serviceOf(setting: ServiceSetting): Promise<Service> {
  const { contract, isShipped, options, before, baseUrl } = setting
  const { host, isStrict, sandbox, recording, log } = options
  const logged = new Set(before?.forms.report.all.map(textOf))
  const forms = formsOf(contract, (one) => {
    const { where, field, detail } = one
    if (logged.has(textOf(one))) return
    log.warn('the sandbox deviates from the contract', { where, field, detail })
  })
  const drift = isStrict ? new DriftCheck(contract.description) : undefined
  const sandboxes = sandbox && (await open(sandbox, { ...setting, forms, drift }))
  const kept = before?.kept ?? {
    faults: new Faults((turn) => seededChance(turn, 0)),
    secrets: new ShownOnce(),
  }
  const own = sandboxes
    ? await ownRoutes(sandboxes, isShipped, {
        host,
        token: sandbox.token ?? null,
        secrets: kept.secrets,
      })
    : []
  const api = { sandboxes, problems: new Problems(forms), drift, faults: kept.faults }
  const beside = [healthRoute(sandboxes), ...own]
  const app = createApp(contract, api, beside, log)
  recording?.hide(secretNamesOf(contract))
  const handler = recording
    ? noting(app, (one) => recording.add(one), isCallOf(contract, beside), baseUrl)
    : app
  return { contract, handler, sandboxes, forms, kept }
}

/** The headers and query parameters that hold secrets. */
function secretNamesOf({ operations, description: { signature } }: Contract): string[] {
  const schemes = operations.flatMap(({ security }) => security.flat())
  const keys = schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? scheme.name : []))
  return signature ? [...keys, signature.header] : keys
}

/** Whether a request target is one of the API, also if it is unknown there: not a page, nor control. */
function isCallOf({ operations, ...contract }: Contract, beside: readonly Route<RouteHandler>[]) {
  const targets = (routes: readonly Route<unknown>[]) =>
    createRouter(routes.map(({ path, method }) => ({ path, method, target: null })))
  const api = targets(operations.map(({ path, method }) => ({ path, method, target: null })))
  const others = targets([...beside, ...pages({ operations, ...contract })])
  return (target: string) => {
    const path = target.replace(/^https?:\/\/[^/?#]+/i, '').replace(/\?.*/s, '')
    return api.match(path) !== null || others.match(path) === null
  }
}

interface World extends ServiceSetting {
  forms: Forms
  drift: DriftCheck | undefined
}

async function open(options: SandboxOptions, world: World): Promise<Sandboxes> {
  const { contract, forms, drift, baseUrl, isShipped, before } = world
  const bindings = new Bindings(forms)
  const path = pathOf(contract, bindings)
  const contracted: Contracted = {
    seed: await seedFor(options.seed, bindings, isShipped),
    bindings,
    drift,
    urlOf: (id) => baseUrl() + path.replace(/\{[^}]*\}/, encodeURIComponent(id)),
    sender: senderOf(options, contract),
  }
  return before?.sandboxes?.under(contracted) ?? opened(options, contracted, world.options)
}

/** Opens the store. */
function opened(
  options: SandboxOptions,
  contracted: Contracted,
  { log, recording }: ServiceOptions,
): Sandboxes {
  const { file, isDurable = false, seed, timeScale, retention, now } = options
  const store = new SqliteStore(file, { isDurable, ...(now && { now }) })
  if (seed !== undefined && store.sandboxes.size > 0) {
    log.warn(
      'existing sandboxes keep their data: --seed and --empty apply to new sandboxes and after a reset',
      {
        sandboxes: store.sandboxes.size,
      },
    )
  }
  const onAttempt: OnAttempt | undefined =
    recording && ((...attempt) => noteAttempt((one) => recording.add(one), ...attempt))
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
}

async function ownRoutes(sandboxes: Sandboxes, isShipped: boolean, options: OwnOptions) {
  const control = await controlOf(sandboxes.bindings, isShipped)
  return [
    ...controlRoutes(control.contract.operations, sandboxes, options),
    ...dashboardRoutes(sandboxes, { ...options, limits: control.limits }),
  ]
}

function textOf({ where, field, action }: Reported): string {
  return JSON.stringify([where, field, action])
}
