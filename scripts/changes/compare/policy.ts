import type { Policy } from '../../model/types.ts'
import type { Findings } from './findings.ts'

/** Compares how every SDK behaves. Texts and hints are left out. */
export function comparePolicies(before: Policy, after: Policy, findings: Findings): void {
  const add = (kind: string, pointer: string, name: string, from?: string, to?: string) =>
    findings.add({
      kind,
      key: `policy ${name}`,
      before: pointer,
      after: pointer,
      subject: { of: 'other', name },
      named: 'before',
      values: { ...(from && { before: from }), ...(to && { after: to }) },
      users: [],
    })
  const ranked = (kind: string, pointer: string, name: string, old: number, now: number) => {
    if (old === now) return
    add(`${kind}-${now < old ? 'lowered' : 'raised'}`, pointer, name, String(old), String(now))
  }
  ranked('policy-timeout', '/timeout_ms', 'timeout', before.timeoutMs, after.timeoutMs)
  ranked('policy-retries', '/retries/max', 'retries', before.retries.max, after.retries.max)

  const statuses = ({ retries }: Policy) => retries.retryableStatuses
  const retryable = '/retries/retryable_statuses'
  for (const status of statuses(before).filter((one) => !statuses(after).includes(one))) {
    add('policy-retryable-status-removed', retryable, `retry of ${status}`, String(status))
  }
  for (const status of statuses(after).filter((one) => !statuses(before).includes(one))) {
    add('policy-retryable-status-added', retryable, `retry of ${status}`, undefined, String(status))
  }
  compareErrors(before, after, add)

  if (before.mismatches.strict !== after.mismatches.strict) {
    const [old, now] = [String(before.mismatches.strict), String(after.mismatches.strict)]
    const kind = after.mismatches.strict ? 'policy-strict-changed' : 'policy-changed'
    add(kind, '/mismatches/strict', 'strict', old, now)
  }
  for (const [pointer, name, read] of OTHERS) {
    const [old, now] = [JSON.stringify(read(before)), JSON.stringify(read(after))]
    if (old !== now) add('policy-changed', pointer, name, old, now)
  }
}

type Add = (kind: string, pointer: string, name: string, from?: string, to?: string) => void

function compareErrors(before: Policy, after: Policy, add: Add): void {
  const names = ({ errors }: Policy) => new Set(errors.classes.map(({ name }) => name))
  const pointer = '/errors/classes'
  for (const name of names(before)) {
    if (!names(after).has(name)) add('policy-error-class-removed', pointer, name, name)
  }
  for (const name of names(after)) {
    if (!names(before).has(name)) add('policy-error-class-added', pointer, name, undefined, name)
  }
  const classOf = ({ errors }: Policy, status: number) =>
    errors.classes.find(({ from, to }) => status >= from && status <= to)?.name
  const edges = [before, after].flatMap(({ errors }) =>
    errors.classes.flatMap(({ from, to }) => [from, to]),
  )
  for (const status of [...new Set(edges)].sort()) {
    const [old, now] = [classOf(before, status), classOf(after, status)]
    // Every class is an APIError: whoever handles that handles a more exact one too.
    if (old === undefined || old === now || !names(after).has(old)) continue
    add('policy-error-class-changed', pointer, String(status), old, now ?? 'APIError')
  }
}

/** What users notice little of, by location and name. */
const OTHERS: ReadonlyArray<[pointer: string, name: string, read: (policy: Policy) => unknown]> = [
  ['/retries/retryable_methods', 'retries.retryable_methods', (p) => p.retries.retryableMethods],
  ['/retries/other_statuses', 'retries.other_statuses', (p) => p.retries.otherStatuses],
  ['/retries/backoff', 'retries.backoff', (p) => p.retries.backoff],
  ['/retries/server_delay', 'retries.server_delay', (p) => p.retries.serverDelay],
  ['/headers', 'headers', (p) => p.headers],
  ['/errors/unknown_statuses', 'errors.unknown_statuses', (p) => p.errors.unknownStatuses],
  ['/errors/max_message_chars', 'errors.max_message_chars', (p) => p.errors.maxMessageChars],
  ['/errors/reasons', 'errors.reasons', (p) => p.errors.reasons],
  ['/log', 'log', (p) => p.log],
  ['/redaction', 'redaction', (p) => p.redaction],
  ['/webhooks/max_body_bytes', 'webhooks.max_body_bytes', (p) => p.webhooks.maxBodyBytes],
  ['/webhooks/max_nesting', 'webhooks.max_nesting', (p) => p.webhooks.maxNesting],
  ['/webhooks/body_timeout_ms', 'webhooks.body_timeout_ms', (p) => p.webhooks.bodyTimeoutMs],
  ['/webhooks/blank_characters', 'webhooks.blank_characters', (p) => p.webhooks.blankCharacters],
  ['/webhooks/tolerance', 'webhooks.tolerance', (p) => p.webhooks.tolerance],
  ['/webhooks/dedupe', 'webhooks.dedupe', (p) => p.webhooks.dedupe],
  ['/webhooks/stores', 'webhooks.stores', (p) => p.webhooks.stores],
  ['/webhooks/responses', 'webhooks.responses', (p) => p.webhooks.responses],
]
