import type { Api, Platform, Policy } from '../../model/types.ts'
import type { Call, ReadmeExamples } from './examples.ts'
import { header, type OutFile, type Sources } from './file.ts'
import { type Links, linksSection, repositoryOf, withoutOutside } from './links.ts'
import { code, plain } from './markdown.ts'
import { archive, startMock } from './names.ts'
import { fill, type Slots } from './template.ts'

/**
 * Which README: that of our own package, which shows everything, the short one of a package for another
 * contract, or that of our own package for coding agents.
 */
export type Edition = 'repository' | 'package' | 'agents'

/** The templates of a language, `emit/<language>/{repository,package,agents}.md`. */
export type Templates = Readonly<Record<Edition, string>>

/** A longer call continues in further lines. */
export const WIDTH = 96

/**
 * The README of a package. Its snippets match the generated code.
 *
 * @param format Formats the code blocks of the language; names and calls are of any length.
 */
export function emitReadme(
  template: string,
  slots: Slots,
  sources: Sources,
  platform: Platform,
  links: Links | null,
  format: Formatter | null,
  path = 'README.md',
): OutFile {
  const { published } = platform
  const filled = withFormatted(fill(template, slots), format)
  const text = withoutOutside(filled, published ? repositoryOf(platform) : null)
  const section = published && links ? linksSection(links) : ''
  return { path, content: `<!-- ${header(sources.contract)} -->\n\n${text}${section}` }
}

/** Formats code blocks that have a tag. */
export interface Formatter {
  fence: string
  format(code: string): string
}

function withFormatted(markdown: string, formatter: Formatter | null): string {
  if (!formatter) return markdown
  const block = new RegExp(`^(\`\`\`${formatter.fence}\\n)([\\s\\S]*?)(?=^\`\`\`$)`, 'gm')
  return markdown.replace(block, (_, start, code) => start + formatter.format(code))
}

/** The names of the parts of an error in a language. */
interface ErrorNames {
  /** The base of all errors. */
  base: string
  retryAfter: string
  outcome(name: string): string
}

/** The facts about an API in the READMEs of all languages. */
export function commonSlots(api: Api, { base, retryAfter, outcome }: ErrorNames): Slots {
  const { platform, policy, title, summary } = api
  const { errors, retries, webhooks, headers, timeoutMs } = policy
  const keys = api.operations.flatMap(({ idempotency }) => idempotency ?? [])
  return {
    title: platform.title,
    client: platform.client,
    envPrefix: platform.envPrefix,
    mockNpm: platform.mockNpm,
    startMock: startMock(platform),
    mockArchive: archive(platform.mockNpm),
    published: platform.published,
    contract: title.startsWith(platform.title) ? null : plain(title),
    summary: summary && plain(summary),
    preview: api.stability === 'preview',
    assumed: api.assumptions.length > 0,
    credential: api.credential !== null,
    pathPrefix: api.pathPrefix || null,
    server: api.server,
    timeoutMs: timeoutMs.toLocaleString('en'),
    timeout: String(timeoutMs / 1_000),
    maxRetries: String(retries.max),
    retryMethods: retries.retryableMethods.join(' or '),
    retryStatuses: either(retries.retryableStatuses),
    otherStatuses: either(retries.otherStatuses),
    firstDelay: seconds(retries.backoff.initialMs),
    factor: String(retries.backoff.factor),
    longestDelay: seconds(retries.backoff.maxMs),
    jitter: String(Math.round((1 - retries.backoff.jitter.from) * 100)),
    longestWait: seconds(retries.serverDelay.maxMs),
    keyHeader: keys[0]?.header ?? null,
    retriedByKey: api.operations.some(({ retryable }) => retryable),
    base,
    notFound: errorClass(policy, 404),
    rateLimited: errorClass(policy, 429),
    errorRows: errors.classes
      .map(({ name, doc }) => `| ${code(name)} | ${doc.replaceAll('retryAfter', retryAfter)} |`)
      .join('\n'),
    outcomes: Object.entries(errors.outcomes)
      .map(([name, text]) => `- ${code(outcome(name))}: ${text}`)
      .join('\n'),
    requestId: headers.requestId,
    handled: String(webhooks.responses.handled),
    failed: String(webhooks.responses.failed),
    keptHours: String(webhooks.dedupe.keptMs / 3_600_000),
  }
}

/** How a language writes a call. */
export interface CallWriter {
  call(call: Call): string
  /** The variable that holds the result. */
  noun(call: Call): string
  /** The line that shows the result. */
  print(call: Call): string
}

/** The calls that most languages show in the same way, each as `name`, `name.call`, `name.noun` … */
export function callSlots(
  { list, start, read, create, variant, failing }: ReadmeExamples,
  writer: CallWriter,
): Slots {
  const calls = { start, read, create, variant, failing, all: list?.all, page: list?.page }
  const slots = Object.entries(calls).flatMap(([name, call]) => [
    [name, Boolean(call)],
    [`${name}.call`, call ? writer.call(call) : null],
    [`${name}.noun`, call ? writer.noun(call) : null],
    [`${name}.print`, call ? writer.print(call) : null],
  ])
  return { ...Object.fromEntries(slots), sending: Boolean(create || variant) }
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

function errorClass({ errors }: Policy, status: number): string {
  return errors.classes.find(({ from, to }) => from <= status && status <= to)?.name ?? 'APIError'
}

function either(values: readonly number[]): string {
  return values.join(', ').replace(/, (\d+)$/, ' or $1')
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`
}
