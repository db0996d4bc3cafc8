import type { Api, Policy } from '../../model/types.ts'
import { hasEvents } from './events.ts'
import { header, type OutFile, type Sources } from './file.ts'
import { blocks, code, fenced, plain, table } from './markdown.ts'

/** Where a README stands: beside the contract, or in a package that is all somebody has. */
export type Place = 'repository' | 'package'

/** What snippets reach the API with. */
export const ACCESS: Readonly<Record<Place, { key: string; baseURL: string }>> = {
  repository: { key: 'sk_test_demo', baseURL: 'http://127.0.0.1:4010' },
  package: { key: 'your-key', baseURL: 'https://api.example.com' },
}

/** What is longer goes on in further lines. */
export const WIDTH = 96

type Part = string | null | false

/** A README from its sections; those without content are left out. */
export function readmeFile(sources: Sources, ...sections: Part[]): OutFile {
  const content = `<!-- ${header(sources.contract)} -->\n\n${blocks(...sections)}\n`
  return { path: 'README.md', content }
}

/** A section with its heading; null where it would be empty. */
export function section(heading: string, ...parts: Part[]): string | null {
  const content = blocks(...parts)
  return content === '' ? null : `## ${heading}\n\n${content}`
}

/** A paragraph with a sentence a line, as the documentation of this repository has it. */
export function sentences(...parts: Part[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n')
}

/** Commands for a shell, one a line. */
export function shell(...commands: string[]): string {
  return fenced('sh', commands.join('\n'))
}

/** What a package is. */
export interface About {
  name: string
  language: string
  /** What it holds beside the client. */
  also: string | null
  needs: string
}

/** What the package is, and how far to trust it. */
export function opening(api: Api, { name, language, also, needs }: About, place: Place): string {
  const { platform, title, summary, assumptions, stability } = api
  const contract = title.startsWith(platform.title) ? '' : `, made from ${plain(title)}`
  const list =
    place === 'repository' ? ' and listed in [docs/assumptions.md](../../docs/assumptions.md)' : ''
  return blocks(
    `# ${name}`,
    sentences(
      `The ${language} client of the ${platform.title} API${contract}${also ? `, ${also}` : ''}.`,
      needs,
    ),
    summary && plain(summary),
    sentences(
      stability === 'preview' &&
        'The API is a preview: it is not live, and its shapes may still change.',
      assumptions.length > 0 &&
        `What the service has not published yet is a guess, marked "Assumed:" in the doc comments${list}.`,
    ),
  )
}

/** How to get a package that is in no registry. */
export function unpublished(registry: string): string {
  return `The package is not published, and nobody owns its name on ${registry}: never install it by name.`
}

/** Where to get a server to try all this on; a package for another contract has none. */
export function mockText({ platform }: Api, place: Place): string | null {
  if (place === 'package') return null
  const start = platform.published
    ? `\`npx ${platform.mockNpm} serve\``
    : '`npm install && npm start` in the clone'
  return `${start} starts a mock of the ${platform.title} API to try it on.`
}

/** What the mock server of a test kit does, by what the languages call it. */
const KIT = {
  access: 'for a client: the base URL, and the key of a sandbox of its own',
  addEndpoint: 'sends events to a URL; gives the endpoint, with its secret',
  trigger: 'sends an event for nothing that happened; gives the event',
  advance: 'lets time pass, with every attempt that becomes due in it; gives the new time',
  deliveries: 'what was sent, the newest first, once nothing that is due waits',
  replay: 'sends a delivery again; returns when its attempt has ended',
  reset: 'forgets everything that happened, endpoints included',
  close: 'stops it; one that was running before goes on, with an empty sandbox',
}

/** How a language starts a mock server in a test, and what it calls its members, as Markdown. */
export interface Kit {
  start: string
  /** Whether the command is an argument too. */
  takesCommand?: boolean
  members: Partial<Record<keyof typeof KIT, string>>
}

/** What a test kit has for tests of a whole integration; for another contract there is no mock server. */
export function kitText(
  { platform }: Api,
  { start, takesCommand = false, members }: Kit,
  place: Place,
): string | null {
  if (place === 'package') return null
  const rows = Object.entries(KIT).flatMap(([key, text]) => {
    const name = members[key as keyof typeof KIT]
    return name === undefined ? [] : [[name, text]]
  })
  return blocks(
    sentences(
      `${start} starts the [mock server](../../mock-server) that npm has installed, on a free port and in memory; it needs Node.js 22.13 or newer.`,
      `\`${platform.envPrefix}_MOCK\`${takesCommand ? ', or an argument,' : ''} names another command that starts it, or the URL of one that runs.`,
    ),
    table(['member', ''], rows),
    `${GUIDE} shows it at work.`,
  )
}

/** How to test with the mock server. */
export const GUIDE = '[Test your whole integration](../../docs/sandbox.md)'

/** Where options that are left out come from. */
export function environmentText({ platform, credential, pathPrefix }: Api): string {
  const { envPrefix } = platform
  const names = [...(credential ? ['API_KEY'] : []), 'BASE_URL']
  const variables = names.map((name) => `\`${envPrefix}_${name}\``).join(' and ')
  const prefix = pathPrefix && `, and never ends in \`${pathPrefix}\`, which the paths add`
  return sentences(
    `What is left out comes from the environment: ${variables}.`,
    `The base URL has no default${prefix}.`,
  )
}

/** The options of a client. */
export function optionsTable(
  rows: ReadonlyArray<[name: string, preset: string, text: string]>,
): string {
  return table(
    ['option', 'default', ''],
    rows.map(([name, preset, text]) => [code(name), preset, text]),
  )
}

/** What becomes of what is newer than a package. */
export const FORWARD =
  'Fields, values and kinds of objects that this version does not know are kept as they came: leave room for them in every branch.'

/** The class of a status. */
export function errorClass({ errors }: Policy, status: number): string | null {
  return errors.classes.find(({ from, to }) => from <= status && status <= to)?.name ?? null
}

/** How a language calls what errors are about. */
export interface ErrorNames {
  /** The base of all errors. */
  base: string
  retryAfter: string
  outcome: (name: string) => string
  /** What a cancelled call ends with. */
  cancelled: string
}

/** When which error comes, and what it says about the effect of the request. */
export function errorsText(api: Api, names: ErrorNames): string {
  const { classes, outcomes } = api.policy.errors
  const said = (text: string) => text.replaceAll('retryAfter', names.retryAfter)
  const rows = [
    ...classes.map(({ name, doc }) => [name, said(doc)] as const),
    [
      'APIError',
      'The service answered with any other status that is no success; all of the above are one.',
    ],
    ['APIConnectionError', 'No whole answer arrived; as `APITimeoutError` because time ran out.'],
    ['InvalidResponseError', 'The service reported success with an answer that cannot be read.'],
    ...(hasEvents(api)
      ? [['WebhookVerificationError', 'A delivery must not be trusted.'] as const]
      : []),
  ] as const
  return blocks(
    table(
      ['class', 'when'],
      rows.map(([name, text]) => [code(name), text]),
    ),
    `Each is a ${code(names.base)}, and its outcome says what is known about the effect of the request:`,
    Object.entries(outcomes)
      .map(([name, text]) => `- \`${names.outcome(name)}\`: ${text}`)
      .join('\n'),
    names.cancelled,
  )
}

/** What is repeated, when and how often. */
export function retriesText({ policy, operations }: Api): string {
  const { max, retryableMethods, retryableStatuses, otherStatuses, backoff, serverDelay } =
    policy.retries
  const keys = operations.flatMap(({ idempotency }) => idempotency ?? [])
  const key = keys[0] ?? null
  const isRepeatable = keys.some(({ assumed }) => !assumed)
  const less = Math.round((1 - backoff.jitter.from) * 100)
  return sentences(
    `A ${retryableMethods.join(' or ')} is repeated up to ${max} times: after ${either(retryableStatuses)}, a broken connection or a time-out.`,
    `Any other request is repeated only where it certainly had no effect: it was never sent, or the answer was ${either(otherStatuses)}.`,
    `The delay is ${seconds(backoff.initialMs)}, and ${backoff.factor} times as long with every further attempt, up to ${seconds(backoff.maxMs)}; chance shortens it by up to ${less} %.`,
    `What the service asks for in \`Retry-After\` is waited instead, up to ${seconds(serverDelay.maxMs)}; a longer wait fails at once.`,
    key &&
      `A request that takes an \`${key.header}\` carries yours or a fresh one, equal on every attempt${isRepeatable ? '; where the contract promises that the service heeds it, the request is repeated like a GET' : ''}.`,
  )
}

export function seconds(ms: number): string {
  return `${ms / 1_000} s`
}

/** A call over as few lines as it fits into. */
export function fit(
  open: string,
  items: readonly string[],
  close: string,
  { indent = '  ', last = ',' } = {},
): string {
  const line = `${open}${items.join(', ')}${close}`
  if (line.length <= WIDTH) return line
  const lines = items.map(
    (item, index) => `${indent}${item}${index < items.length - 1 ? ',' : last}`,
  )
  return [open, ...lines, close].join('\n')
}

function either(values: readonly number[]): string {
  return values.join(', ').replace(/, (\d+)$/, ' or $1')
}
