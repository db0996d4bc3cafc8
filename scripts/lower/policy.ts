import type { Policy, StatusRange } from '../model/types.ts'
import { type Location, type Problem, readYaml, type YamlOptions } from '../yaml/index.ts'

type Status = number | [from: number, to: number]

/** `behavior.yaml` as it is written. */
interface Behavior {
  timeout_ms: number
  retries: {
    max: number
    retryable_methods: string[]
    retryable_statuses: number[]
    other_statuses: number[]
    backoff: { initial_ms: number; factor: number; max_ms: number; jitter: [number, number] }
    server_delay: { milliseconds_header: string; header: string; max_ms: number }
  }
  headers: {
    authorization: string
    idempotency_key: string
    request_id: string
    user_agent: string
  }
  errors: {
    classes: Array<{ status: Status; name: string; doc: string }>
    outcomes: Policy['errors']['outcomes']
    unknown_statuses: Status[]
    max_message_chars: number
    reasons: Policy['errors']['reasons']
  }
  mismatches: Policy['mismatches']
  log: Policy['log']
  redaction: Policy['redaction']
  webhooks: {
    max_body_bytes: number
    max_nesting: number
    body_timeout_ms: number
    blank_characters: number[]
    tolerance: number | null
    dedupe: { lease_ms: number; kept_ms: number }
    stores: Policy['webhooks']['stores']
    failures: Policy['webhooks']['failures']
    mismatches: Record<'padded_secret' | 'byte_order_mark' | 'base64_body', string>
    responses: Record<
      'handled' | 'duplicate' | 'in_progress' | 'failed' | 'method_not_allowed',
      number
    >
  }
}

const count = { type: 'integer', minimum: 0 }
const status = { type: 'integer', minimum: 100, maximum: 599 }
const header = { type: 'string', pattern: '^[a-z][a-z0-9-]*$' }
const text = { type: 'string' }
const STATEMENTS = { begin: text, done: text, release: text, once: text }
const LEVELS = ['off', 'error', 'warn', 'info', 'debug']
const level = { enum: LEVELS }
const hint = { type: 'string', pattern: '^([^{}]|\\{(header|event_header|prefix)\\})+$' }
const statusOrRange = {
  oneOf: [status, { type: 'array', items: status, minItems: 2, maxItems: 2 }],
}
const list = (items: object) => ({ type: 'array', items })

/** A mapping of exactly these keys. */
const record = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
})

const SCHEMA = record({
  timeout_ms: count,
  retries: record({
    max: count,
    retryable_methods: list({ type: 'string', pattern: '^[A-Z]+$' }),
    retryable_statuses: list(status),
    other_statuses: list(status),
    backoff: record({
      initial_ms: count,
      factor: { type: 'number', minimum: 1 },
      max_ms: count,
      jitter: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    }),
    server_delay: record({ milliseconds_header: header, header, max_ms: count }),
  }),
  headers: record({
    authorization: header,
    idempotency_key: header,
    request_id: header,
    user_agent: header,
  }),
  errors: record({
    classes: list(
      record({
        status: statusOrRange,
        name: { type: 'string', pattern: '^[A-Z][A-Za-z]*Error$' },
        doc: text,
      }),
    ),
    outcomes: record({
      not_sent: text,
      rejected: text,
      unknown: text,
    }),
    unknown_statuses: list(statusOrRange),
    max_message_chars: count,
    reasons: record({ member: text, names: list(text), texts: list(text), max: count }),
  }),
  mismatches: record({ strict: { type: 'boolean' }, question: text }),
  log: record({
    levels: { const: LEVELS },
    level,
    events: record({
      request: level,
      response: level,
      retry: level,
      failure: level,
      mismatch: level,
    }),
  }),
  redaction: record({ headers: list(header), text: text }),
  webhooks: record({
    max_body_bytes: count,
    max_nesting: count,
    body_timeout_ms: count,
    blank_characters: list(count),
    tolerance: { type: ['integer', 'null'], minimum: 0 },
    failures: list(record({ code: { type: 'string', pattern: '^[a-z][a-z_]*$' }, status, hint })),
    mismatches: record({ padded_secret: text, byte_order_mark: text, base64_body: text }),
    dedupe: record({ lease_ms: count, kept_ms: count }),
    stores: record({
      redis: record({ prefix: text, begin: text, done: text, release: text }),
      postgres: record({ table: text, schema: text, ...STATEMENTS }),
      sqlite: record({ table: text, schema: text, prune: text, ...STATEMENTS }),
    }),
    responses: record({
      handled: status,
      duplicate: status,
      in_progress: status,
      failed: status,
      method_not_allowed: status,
    }),
  }),
})

/** Reads how every SDK behaves. */
export async function loadPolicy(
  file: string,
  options: YamlOptions = {},
): Promise<{
  policy: Policy | null
  problems: Problem[]
  /** Where the value at a JSON pointer stands. */
  locate(pointer: string): Location
}> {
  const { value, problems, locate } = await readYaml<Behavior>(file, SCHEMA, options)
  return { policy: value && policyOf(value), problems, locate }
}

function policyOf(behavior: Behavior): Policy {
  const { timeout_ms, retries, headers, errors, mismatches, log, redaction, webhooks } = behavior
  const { backoff, server_delay } = retries
  return {
    timeoutMs: timeout_ms,
    retries: {
      max: retries.max,
      retryableMethods: retries.retryable_methods,
      retryableStatuses: retries.retryable_statuses,
      otherStatuses: retries.other_statuses,
      backoff: {
        initialMs: backoff.initial_ms,
        factor: backoff.factor,
        maxMs: backoff.max_ms,
        jitter: { from: backoff.jitter[0], to: backoff.jitter[1] },
      },
      serverDelay: {
        millisecondsHeader: server_delay.milliseconds_header,
        header: server_delay.header,
        maxMs: server_delay.max_ms,
      },
    },
    headers: {
      authorization: headers.authorization,
      idempotencyKey: headers.idempotency_key,
      requestId: headers.request_id,
      userAgent: headers.user_agent,
    },
    errors: {
      classes: errors.classes.map(({ status, ...rest }) => ({ ...range(status), ...rest })),
      outcomes: errors.outcomes,
      unknownStatuses: errors.unknown_statuses.map(range),
      maxMessageChars: errors.max_message_chars,
      reasons: errors.reasons,
    },
    mismatches,
    log,
    redaction,
    webhooks: {
      maxBodyBytes: webhooks.max_body_bytes,
      maxNesting: webhooks.max_nesting,
      bodyTimeoutMs: webhooks.body_timeout_ms,
      blankCharacters: webhooks.blank_characters,
      tolerance: webhooks.tolerance,
      dedupe: { leaseMs: webhooks.dedupe.lease_ms, keptMs: webhooks.dedupe.kept_ms },
      stores: webhooks.stores,
      failures: webhooks.failures,
      mismatches: {
        paddedSecret: webhooks.mismatches.padded_secret,
        byteOrderMark: webhooks.mismatches.byte_order_mark,
        base64Body: webhooks.mismatches.base64_body,
      },
      responses: {
        handled: webhooks.responses.handled,
        duplicate: webhooks.responses.duplicate,
        inProgress: webhooks.responses.in_progress,
        failed: webhooks.responses.failed,
        methodNotAllowed: webhooks.responses.method_not_allowed,
      },
    },
  }
}

function range(status: Status): StatusRange {
  const [from, to] = typeof status === 'number' ? [status, status] : status
  return { from, to }
}
