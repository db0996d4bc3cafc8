/** The metrics of the catalogue, as prom-client keeps them. Loaded by the first one that needs it. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'
import type { Outcome } from '../store/types.ts'
import { type Described, METRICS, type MetricName } from './catalogue.ts'

/** In seconds, up to the timeout of an attempt. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Labels = Record<string, string>

export class Meters {
  readonly #registry = new Registry()
  readonly #counters = new Map<MetricName, Counter>()
  readonly #histograms = new Map<MetricName, Histogram>()
  readonly #gauges = new Map<MetricName, Gauge>()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    for (const [name, described] of Object.entries(METRICS)) {
      this.#add(name as MetricName, described)
    }
  }

  handled(status: number): void {
    this.#count('support_chat_mock_requests_total', {
      status_class: `${Math.floor(status / 100)}xx`,
    })
  }

  called(seconds: number): void {
    this.#histograms.get('support_chat_mock_request_seconds')?.observe(seconds)
  }

  attempted({ state, attempt: { ms } }: Outcome): void {
    const result = state === 'succeeded' ? 'succeeded' : 'failed'
    this.#count('support_chat_mock_attempts_total', { result })
    if (state === 'dead') this.#count('support_chat_mock_dead_deliveries_total')
    if (typeof ms === 'number') {
      this.#histograms.get('support_chat_mock_attempt_seconds')?.observe(ms / 1000)
    }
  }

  /** In the text format of Prometheus. Without what the store would say, where it fails. */
  async text(store: Store | null): Promise<string> {
    for (const gauge of this.#gauges.values()) gauge.reset()
    if (store) await this.#read(store)
    return this.#registry.metrics()
  }

  async #read(store: Store): Promise<void> {
    const set = (name: MetricName, value: number, labels: Labels = {}) =>
      this.#gauges.get(name)?.set(labels, value)
    for (const [state, count] of Object.entries(store.connections ?? {})) {
      set('support_chat_mock_pool_connections', count, { state })
    }
    try {
      const { due, lag } = await store.outbox.backlog()
      set('support_chat_mock_due_deliveries', due)
      set('support_chat_mock_lag_seconds', lag / 1000)
      set('support_chat_mock_replicas', store.processes)
    } catch {
      for (const name of SHARED) this.#gauges.get(name)?.remove()
    }
  }

  #count(name: MetricName, labels: Labels = {}): void {
    this.#counters.get(name)?.inc(labels)
  }

  #add(name: MetricName, { type, help, labels = {} }: Described): void {
    const options = { name, help, labelNames: Object.keys(labels), registers: [this.#registry] }
    if (type === 'gauge') this.#gauges.set(name, new Gauge(options))
    else if (type === 'histogram') {
      this.#histograms.set(name, new Histogram({ ...options, buckets: BUCKETS }))
    } else {
      const counter = new Counter(options)
      this.#counters.set(name, counter)
      // From the start, so that the first one counts as an increase.
      for (const [label, values] of Object.entries(labels)) {
        for (const value of values) counter.inc({ [label]: value }, 0)
      }
    }
  }
}

/** What the database says. */
const SHARED = [
  'support_chat_mock_due_deliveries',
  'support_chat_mock_lag_seconds',
  'support_chat_mock_replicas',
] as const
