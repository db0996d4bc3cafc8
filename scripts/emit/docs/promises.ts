import type { Api, Family, Policy, StatusRange } from '../../model/types.ts'
import { blocks, code, inline, table } from '../core/markdown.ts'

/** A line of a table: what it is about, then TypeScript, Python, Ruby and Go. */
type Row = readonly [what: string, ...cells: string[]]

const HEADS = ['TypeScript', 'Python', 'Ruby', 'Go']

/** By the names that the cases use. */
const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  python: 'Python',
  'python-async': 'Python (async)',
  ruby: 'Ruby',
  go: 'Go',
}

/** What holds in every SDK, and the cases that prove it. */
export function promisesPage({ policy }: Api, families: readonly Family[]): string {
  const total = families.flatMap(promisesOf).length
  return blocks(
    '# What every SDK promises',
    `The SDKs of all languages behave in one way. Its numbers stand in \`sdks/behavior.yaml\`, from which
each runtime's policy is generated. That they hold is proved by ${total} cases, which every SDK passes on
every change: \`sdks/conformance\`.`,
    '## The same in each language',
    table(['', ...HEADS], names(policy)),
    '## When a request is repeated',
    retries(policy),
    '## What an error says',
    table(['Answer', ...HEADS], errors(policy)),
    table(
      ['Outcome', 'What is known'],
      Object.entries(policy.errors.outcomes).map(([name, known]) => [code(name), inline(known)]),
    ),
    '## What is proved',
    table(['Family', 'Cases', 'Of these, right to differ'], families.map(summary)),
    ...families.map(section),
  )
}

function names({ timeoutMs, retries, errors }: Policy): Row[] {
  const seconds = `${timeoutMs / 1000} s`
  return [
    ['the key', '`apiKey`', '`api_key`', '`api_key`', '`WithAPIKey`'],
    ['the address', '`baseURL`', '`base_url`', '`base_url`', '`WithBaseURL`'],
    [
      'time-out of an attempt',
      `\`timeout\`, ${timeoutMs} ms`,
      ...['`timeout`', '`timeout`', '`WithTimeout`'].map((name) => `${name}, ${seconds}`),
    ],
    [
      `retries, ${retries.max}`,
      '`maxRetries`',
      '`max_retries`',
      '`max_retries`',
      '`WithMaxRetries`',
    ],
    [
      'idempotency key of a call',
      '`idempotencyKey`',
      '`idempotency_key`',
      '`idempotency_key`',
      '`WithIdempotencyKey`',
    ],
    ['headers of a call', '`headers`', '`extra_headers`', '`headers`', '`WithHeader`'],
    [
      'cancelling a call',
      "`signal`; the signal's reason",
      "the task's `CancelledError`",
      'what is raised in the thread',
      "the context; the context's error",
    ],
    ...Object.keys(errors.outcomes).map(
      (name): Row => [`outcome ${code(name)}`, ...outcomes(name)],
    ),
  ]
}

function outcomes(outcome: string): string[] {
  const pascal = outcome.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [`'${outcome}'`, `"${outcome}"`, `:${outcome}`, `Outcome${pascal}`].map(code)
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

function errors({ errors }: Policy): Row[] {
  const forms = (name: string): string[] => [code(name), code(name), code(name), code(`*${name}`)]
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

function section(family: Family): string {
  const lists = family.topics.map(({ about, promises }) =>
    blocks(inline(about), promises.map(line).join('\n')),
  )
  return blocks(`### ${family.name}`, ...lists)
}

function line({ name, differences }: Family['topics'][number]['promises'][number]): string {
  const notes = differences.map(
    ({ language, reason }) => `  - ${LANGUAGES[language] ?? language} differs: ${inline(reason)}`,
  )
  return [`- ${inline(name)}`, ...notes].join('\n')
}

function promisesOf({ topics }: Family) {
  return topics.flatMap(({ promises }) => promises)
}
