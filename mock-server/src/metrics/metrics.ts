/**
 * Counts what a server does. A hosted server counts from its start. Another one begins with the first request for its
 * metrics, since most never get one and the library takes a while to load.
 */
import type { Handler, HttpRequest } from '../door/message.ts'
import type { Store } from '../store/store.ts'
import type { Outcome } from '../store/types.ts'
import type { Meters } from './meters.ts'

export class Metrics {
  #loading: Promise<Meters> | undefined
  #meters: Meters | undefined

  /** Counts from now on. */
  async start(): Promise<Meters> {
    this.#loading ??= import('./meters.ts').then(({ Meters }) => new Meters())
    this.#meters = await this.#loading
    return this.#meters
  }

  attempted(outcome: Outcome): void {
    this.#meters?.attempted(outcome)
  }

  /** Makes a handler count its requests, but those of monitoring. */
  counting(handler: Handler, isMonitoring: (target: string) => boolean): Handler {
    const counted = async (request: HttpRequest, meters: Meters) => {
      const from = performance.now()
      const findings = request.findings ?? {}
      request.findings = findings
      const response = await handler(request)
      meters.handled(response.status)
      // Others may wait for a consumer, or for the clock.
      if (findings.isCall) meters.called((performance.now() - from) / 1000)
      return response
    }
    return (request) =>
      this.#meters && !isMonitoring(request.target)
        ? counted(request, this.#meters)
        : handler(request)
  }

  /** In the text format of Prometheus. @param store Null if nothing is stored. */
  async text(store: Store | null): Promise<string> {
    return (await this.start()).text(store)
  }
}
