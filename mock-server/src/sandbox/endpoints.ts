/** Adds endpoints, rotates their secrets and removes them. */

import { newSecret } from '../delivery/secret.ts'
import type { SharedListeners } from '../delivery/shared-listeners.ts'
import type { Worker } from '../delivery/worker.ts'
import { Problem } from '../door/problem.ts'
import { makeId } from '../store/ids.ts'
import type { EndpointStore, StateStore } from '../store/store.ts'
import { type Endpoint, isListener, type Sandbox } from '../store/types.ts'

export interface EndpointsOptions {
  store: { readonly endpoints: EndpointStore; readonly state: StateStore }
  worker: Worker
  listeners: SharedListeners
  /** Checks that a sandbox may have another endpoint. @throws {Problem} */
  allow: (sandbox: Sandbox) => Promise<void>
}

export interface NewEndpoint {
  url: string
  /** @default null, all */
  kinds?: string[] | null
  /** @default a random one */
  secret?: string
  /** The revision of the contract whose events it receives. @default null, the first one */
  revision?: string | null
}

export class Endpoints {
  readonly #options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.#options = options
  }

  async add(
    sandbox: Sandbox,
    { url, kinds = null, secret, revision = null }: NewEndpoint,
  ): Promise<Endpoint> {
    const { store, allow } = this.#options
    await allow(sandbox)
    const id = makeId('ep_', sandbox, await store.state.numbers(sandbox, 1))
    const endpoint = { id, url, kinds, secret: secret ?? newSecret(), revision }
    await store.endpoints.add(sandbox, endpoint)
    return endpoint
  }

  /** Gives an endpoint a new secret, which signs every attempt from now on. */
  async rotate(sandbox: Sandbox, id: string): Promise<Endpoint> {
    const { store, worker } = this.#options
    const known = (await store.endpoints.list(sandbox)).find((one) => one.id === id)
    if (!known) throw notFound(id)
    if (isListener(known)) {
      const detail = `The endpoint ${id} is a listener. All listeners of a sandbox share one secret, which stays while the server runs.`
      throw new Problem(409, 'impossible_step', detail)
    }
    const endpoint = { ...known, secret: newSecret() }
    if (!(await store.endpoints.changeSecret(sandbox, id, endpoint.secret))) throw notFound(id)
    worker.renew(sandbox, endpoint)
    return endpoint
  }

  /**
   * Disables or enables an endpoint. Events that happen while it is disabled are not for it. Its pending deliveries
   * wait until it is enabled.
   */
  async disable(sandbox: Sandbox, id: string, isDisabled: boolean): Promise<Endpoint> {
    const { store, worker } = this.#options
    if (!(await store.endpoints.disable(sandbox, id, isDisabled))) throw notFound(id)
    if (isDisabled) await worker.withhold(sandbox, ({ endpoint }) => endpoint.id === id)
    else await worker.poke(sandbox)
    const endpoint = (await store.endpoints.list(sandbox)).find((one) => one.id === id)
    if (!endpoint) throw notFound(id)
    return endpoint
  }

  /** Removes an endpoint with its deliveries. The outcomes of running attempts are lost. */
  remove(sandbox: Sandbox, id: string): Promise<void> {
    const { store, worker, listeners } = this.#options
    return listeners.remove(sandbox, id, async () => {
      if (!(await store.endpoints.remove(sandbox, id))) throw notFound(id)
      worker.drop(sandbox, id)
    })
  }
}

function notFound(id: string): Problem {
  return new Problem(404, 'endpoint_not_found', `There is no endpoint ${id}.`)
}
