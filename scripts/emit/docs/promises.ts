import type { Api, Family, Policy, StatusRange } from '../../model/types.ts'
import type { Language, Spelling } from '../core/language.ts'
import { blocks, code, inline, table } from '../core/markdown.ts'

/** A row of a table: its subject, then a cell for each language. */
type Row = readonly [what: string, ...cells: string[]]

/** Titles by the names that the cases use. */
type Clients = Readonly<Record<string, string>>

/** The behavior that all SDKs share, and the cases that prove it. */
export function promisesPage(
  api: Api,
  families: readonly Family[],
  languages: readonly Language[],
): string {
  const { policy } = api
  const titles = languages.map(({ title }) => title)
  const clients = Object.assign({}, ...languages.map(({ clients }) => clients))
  const total = families.flatMap(promisesOf).length
  return blocks(
    '# What every SDK promises',
    `The SDKs of all languages behave alike. The numbers come from \`sdks/behavior.yaml\`, from which each
runtime's policy is generated. ${total} cases in \`sdks/conformance\` prove them: every SDK passes all cases on
every change.`,
    '## The same in each language',
    table(['Setting', ...titles], names(api, languages)),
    '## When a request is retried',
    retries(policy),
    '## Errors',
    table(['Response', ...titles], errors(policy, languages)),
    table(
      ['Outcome', 'Meaning'],
      Object.entries(policy.errors.outcomes).map(([name, known]) => [code(name), inline(known)]),
    ),
    '## Responses that do not match the contract',
    mismatches(policy),
    '## The log',
    log(policy),
    '## The cases',
    table(['Family', 'Cases', 'With a language that differs'], families.map(summary)),
    ...families.map((family) => section(family, clients)),
  )
}

function names({ policy, platform }: Api, languages: readonly Language[]): Row[] {
  const { timeoutMs, retries, errors, log } = policy
  const row = (what: string, cell: (spelling: Spelling) => string): Row => [
    what,
    ...languages.map(({ spelling }) => cell(spelling)),
  ]
  const timeouts = { ms: `${timeoutMs} ms`, s: `${timeoutMs / 1000} s` }
  return [
    row('API key', ({ apiKey }) => apiKey),
    row('base URL', ({ baseURL }) => baseURL),
    row(
      'timeout of an attempt',
      ({ timeout, timeoutUnit }) => `${timeout}, ${timeouts[timeoutUnit]}`,
    ),
    row(`retries, ${retries.max}`, ({ maxRetries }) => maxRetries),
    row('idempotency key of a call', ({ idempotencyKey }) => idempotencyKey),
    row('timeout of connecting', ({ connectTimeout }) => connectTimeout),
    row('no timeout', ({ noTimeout }) => noTimeout),
    row('headers of every call', ({ defaultHeaders }) => defaultHeaders),
    row('query of every call', ({ defaultQuery }) => defaultQuery),
    row('headers of a call', ({ headers }) => headers),
    row('further query of a call', ({ query }) => query),
    row('further members of a body', ({ body }) => body),
    row(
      `level of the log, ${code(log.level)} or ${code(`${platform.envPrefix}_LOG`)}`,
      ({ logLevel }) => logLevel,
    ),
    row('middleware', ({ middleware }) => middleware),
    row('strict client', ({ strict }) => strict),
    row('hook for mismatches', ({ onMismatch }) => onMismatch),
    row('a list page by page', ({ pages }) => pages),
    row('all items as one list', ({ toList }) => toList),
    row('request id of a result', ({ requestId }) => requestId),
    row('cancelling a call', ({ cancel }) => cancel),
    ...Object.keys(errors.outcomes).map((name) =>
      row(`outcome ${code(name)}`, ({ outcome }) => code(outcome(name))),
    ),
  ]
}

function retries({ retries, headers }: Policy): string {
  const { max, retryableMethods, retryableStatuses, otherStatuses, backoff, serverDelay } = retries
  const { jitter } = backoff
  return table(
    ['Rule', 'Value'],
    [
      [
        'count',
        `${max} retries after the first attempt, unless the client or the call sets another number`,
      ],
      [
        'retryable requests',
        `${retryableMethods.join(' and ')}, and operations that the contract marks: after ${retryableStatuses.join(', ')}, a broken connection or a timeout`,
      ],
      ['other requests', `only after ${otherStatuses.join(', ')}, or if nothing was sent`],
      [
        'delay before retry n (from 0)',
        `${backoff.initialMs / 1000} s · ${backoff.factor}ⁿ, at most ${backoff.maxMs / 1000} s, times a number between ${jitter.from} and ${jitter.to}`,
      ],
      [
        'delay set by the service',
        `${code(serverDelay.millisecondsHeader)}, else ${code(serverDelay.header)}, is used without jitter, up to ${serverDelay.maxMs / 1000} s; a longer delay fails at once and is reported on the error`,
      ],
      ['idempotency', `${code(headers.idempotencyKey)} is the same on every attempt of a call`],
    ],
  )
}

function errors({ errors }: Policy, languages: readonly Language[]): Row[] {
  const forms = (name: string) => languages.map(({ spelling }) => code(spelling.error(name)))
  return [
    ...errors.classes.map((range): Row => [statuses(range), ...forms(range.name)]),
    ['any other status except 2xx', ...forms('APIError')],
    ['none: the connection failed', ...forms('APIConnectionError')],
    ['none before the timeout', ...forms('APITimeoutError')],
    ['unreadable 2xx', ...forms('InvalidResponseError')],
  ]
}

function mismatches({ mismatches }: Policy): string {
  return blocks(
    `A mismatch is a required field that is missing, a null where the contract has none, or a value of
another type. Unknown fields, unknown values of enums and unknown variants of unions are no mismatch.`,
    `By default, a client is ${mismatches.strict ? '' : 'not '}strict. A client that is not strict decodes such a
response as far as possible. Its hook receives every mismatch. The log names each field of a model once:`,
    `    Handoff: missing requested_at; unknown asked_at. ${mismatches.question}`,
    `A strict client raises \`InvalidResponseError\` instead. Webhooks are never compared, because a receiver
must not lose an event.`,
  )
}

function log({ log }: Policy): string {
  const entries: Record<keyof Policy['log']['events'], string> = {
    request: 'a request is about to be sent',
    response: 'a response arrived, with any status',
    retry: 'an attempt failed and is retried, with the reason and the delay',
    failure: 'a call failed without a complete response',
    mismatch: 'a field of a response does not match the contract',
  }
  return blocks(
    `The levels are ${log.levels.map(code).join(', ')}. Each includes the levels before it.`,
    table(
      ['Level', 'Entry'],
      Object.entries(entries).map(([name, what]) => [
        code(log.events[name as keyof typeof entries]),
        what,
      ]),
    ),
  )
}

function statuses({ from, to }: StatusRange): string {
  return from === to ? `${from}` : `${from}–${to}`
}

function summary(family: Family): string[] {
  const promises = promisesOf(family)
  const differing = promises.filter(({ differences }) => differences.length > 0)
  return [`[${family.name}](#${family.name})`, `${promises.length}`, `${differing.length}`]
}

function section(family: Family, clients: Clients): string {
  const lists = family.topics.map(({ about, promises }) =>
    blocks(inline(about), promises.map((promise) => line(promise, clients)).join('\n')),
  )
  return blocks(`### ${family.name}`, ...lists)
}

function line(
  { name, differences }: Family['topics'][number]['promises'][number],
  clients: Clients,
): string {
  const notes = differences.map(
    ({ language, reason }) => `  - ${clients[language] ?? language} differs: ${inline(reason)}`,
  )
  return [`- ${inline(name)}`, ...notes].join('\n')
}

function promisesOf({ topics }: Family) {
  return topics.flatMap(({ promises }) => promises)
}
