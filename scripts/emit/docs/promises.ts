import type { Api, Family, Policy, StatusRange } from '../../model/types.ts'
import type { Language, Spelling } from '../core/language.ts'
import { blocks, code, inline, table } from '../core/markdown.ts'

/** A line of a table: what it is about, then a cell for each language. */
type Row = readonly [what: string, ...cells: string[]]

/** Titles by the names that the cases use. */
type Clients = Readonly<Record<string, string>>

/** What holds in every SDK, and the cases that prove it. */
export function promisesPage(
  { policy }: Api,
  families: readonly Family[],
  languages: readonly Language[],
): string {
  const titles = languages.map(({ title }) => title)
  const clients = Object.assign({}, ...languages.map(({ clients }) => clients))
  const total = families.flatMap(promisesOf).length
  return blocks(
    '# What every SDK promises',
    `The SDKs of all languages behave in one way. Its numbers stand in \`sdks/behavior.yaml\`, from which
each runtime's policy is generated. That they hold is proved by ${total} cases, which every SDK passes on
every change: \`sdks/conformance\`.`,
    '## The same in each language',
    table(['', ...titles], names(policy, languages)),
    '## When a request is repeated',
    retries(policy),
    '## What an error says',
    table(['Answer', ...titles], errors(policy, languages)),
    table(
      ['Outcome', 'What is known'],
      Object.entries(policy.errors.outcomes).map(([name, known]) => [code(name), inline(known)]),
    ),
    '## What is proved',
    table(['Family', 'Cases', 'Of these, right to differ'], families.map(summary)),
    ...families.map((family) => section(family, clients)),
  )
}

function names({ timeoutMs, retries, errors }: Policy, languages: readonly Language[]): Row[] {
  const row = (what: string, cell: (spelling: Spelling) => string): Row => [
    what,
    ...languages.map(({ spelling }) => cell(spelling)),
  ]
  const timeouts = { ms: `${timeoutMs} ms`, s: `${timeoutMs / 1000} s` }
  return [
    row('the key', ({ apiKey }) => apiKey),
    row('the address', ({ baseURL }) => baseURL),
    row(
      'time-out of an attempt',
      ({ timeout, timeoutUnit }) => `${timeout}, ${timeouts[timeoutUnit]}`,
    ),
    row(`retries, ${retries.max}`, ({ maxRetries }) => maxRetries),
    row('idempotency key of a call', ({ idempotencyKey }) => idempotencyKey),
    row('headers of a call', ({ headers }) => headers),
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
    ['Rule', ''],
    [
      [
        'how often',
        `${max} times beyond the first attempt, unless the client or the call says otherwise`,
      ],
      [
        'what may be repeated',
        `${retryableMethods.join(' and ')}, and what the contract marks as such: after ${retryableStatuses.join(', ')}, a broken connection or a time-out`,
      ],
      ['anything else', `only after ${otherStatuses.join(', ')}, or where no byte of it was sent`],
      [
        'delay before retry n (from 0)',
        `${backoff.initialMs / 1000} s · ${backoff.factor}ⁿ, at most ${backoff.maxMs / 1000} s, times a number between ${jitter.from} and ${jitter.to}`,
      ],
      [
        'the service asks to wait',
        `${code(serverDelay.millisecondsHeader)}, else ${code(serverDelay.header)}, is slept as given up to ${serverDelay.maxMs / 1000} s; a longer wait fails at once and is told by the error`,
      ],
      ['idempotency', `${code(headers.idempotencyKey)} is equal on every attempt of one call`],
    ],
  )
}

function errors({ errors }: Policy, languages: readonly Language[]): Row[] {
  const forms = (name: string) => languages.map(({ spelling }) => code(spelling.error(name)))
  return [
    ...errors.classes.map((range): Row => [statuses(range), ...forms(range.name)]),
    ['any other but 2xx', ...forms('APIError')],
    ['none: the connection failed or broke', ...forms('APIConnectionError')],
    ['none in time', ...forms('APITimeoutError')],
    ['2xx that cannot be read', ...forms('InvalidResponseError')],
  ]
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
