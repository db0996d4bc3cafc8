/** What a hosted server has beside its sandboxes: tenants, and the API about them. */
import type { RouteHandler } from '../api.ts'
import type { Route } from '../door/router.ts'
import type { Gate } from '../sandbox/gate.ts'
import type { Store } from '../store/store.ts'
import { adminRoutes } from './admin.ts'
import { TenantGate } from './gate.ts'
import { type HostedOptions, LIMITS } from './options.ts'
import { hostedPages } from './pages.ts'
import { Tenants } from './tenants.ts'
import { Visitors } from './visitors.ts'

export class Hosting {
  readonly gate: Gate
  readonly tenants: Tenants
  readonly options: HostedOptions
  readonly #visitors: Visitors

  /** @param store One that keeps tenants. */
  constructor(options: HostedOptions, store: Store) {
    if (!store.tenants) throw new Error('this store keeps no tenants')
    this.options = options
    this.#visitors = new Visitors(options.proxies ?? [])
    this.tenants = new Tenants({
      store: store.tenants,
      limits: { ...LIMITS, ...options.limits },
      now: () => store.now(),
      processes: () => store.processes,
    })
    this.gate = new TenantGate(this.tenants)
  }

  /** The admin API, and the pages about keys. */
  async routes(): Promise<Route<RouteHandler>[]> {
    const parts = { ...this.options, tenants: this.tenants, visitors: this.#visitors }
    return [...(await adminRoutes(parts)), ...hostedPages(parts)]
  }
}
