/** What can be measured of a server, by the names that dashboards and alerts use. No label has a key or a sandbox. */

/** Where it is told. */
export const METRICS_PATH = '/_mock/metrics'

export interface Described {
  type: 'counter' | 'gauge' | 'histogram'
  /** In Prometheus, the line `# HELP`. */
  help: string
  /** The values of each label. */
  labels?: Readonly<Record<string, readonly string[]>>
}

export const METRICS = {
  support_chat_mock_requests_total: {
    type: 'counter',
    help: 'Requests by the class of the status of their response, but those of monitoring.',
    labels: { status_class: ['1xx', '2xx', '3xx', '4xx', '5xx'] },
  },
  support_chat_mock_request_seconds: {
    type: 'histogram',
    help: 'How long calls of the API took.',
  },
  support_chat_mock_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver an event, by whether it succeeded.',
    labels: { result: ['succeeded', 'failed'] },
  },
  support_chat_mock_attempt_seconds: {
    type: 'histogram',
    help: 'How long attempts took.',
  },
  support_chat_mock_dead_deliveries_total: {
    type: 'counter',
    help: 'Deliveries that died in this process: refused, or after their last attempt.',
  },
  support_chat_mock_due_deliveries: {
    type: 'gauge',
    help: 'Deliveries that are due, up to 10,000. The same in all processes that share a database.',
  },
  support_chat_mock_lag_seconds: {
    type: 'gauge',
    help: 'For how long the first due delivery has waited for a process. The same in all processes.',
  },
  support_chat_mock_pool_connections: {
    type: 'gauge',
    help: 'Connections to the database by state, and statements that wait for one.',
    labels: { state: ['active', 'idle', 'waiting'] },
  },
  support_chat_mock_replicas: {
    type: 'gauge',
    help: 'Processes that share the database, this one included.',
  },
} as const satisfies Readonly<Record<string, Described>>

export type MetricName = keyof typeof METRICS
