import { writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Command, Option } from 'commander'
import { CODE, type CodeForm } from '../requests/code.ts'
import type { LoggedRequest } from '../requests/shown.ts'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { Mock, MockError, type MockOptions, withMock } from './mock.ts'
import { print, table } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options extends MockOptions {
  method?: string
  path?: string
  status?: string
  follow?: true
  as?: CodeForm
  curl?: true
  har?: string
}

/** How often new requests are looked for, in milliseconds. */
const INTERVAL = 500

/** The command that shows the requests to the API. */
export function requestsCommand(exit: (code: number) => void): Command {
  const command = new Command('requests')
    .description('Show the requests to the API, and why they were refused.')
    .argument('[id]', 'the ID of one request, to show it with its response')
    .option('--method <method>', 'only requests with this method')
    .option('--path <path>', 'only requests for this path, a template, or a start followed by *')
    .option('--status <status>', 'only responses with this status, such as 404 or 4xx')
    .option('--follow', 'print new requests as they arrive')
    .addOption(new Option('--as <form>', 'print the request as code').choices(Object.keys(CODE)))
    .option('--curl', 'short for --as curl')
    .option('--har <file>', 'write the requests to a HAR file')
  return withMock(command)
    .addHelpText(
      'after',
      `
Lists the newest 100 requests of the key, newest first. Requests without an accepted key, such as a
401, are in the list of every key. Secrets are left out: code reads the key from
SUPPORT_CHAT_API_KEY. A program calls the SDK, or uses plain HTTP for a request that no method sends.

Examples:
  $ support-chat-mock requests --status 4xx
  $ support-chat-mock requests --follow
  $ support-chat-mock requests req_1a2b --as go > main.go
  $ support-chat-mock requests --har traffic.har`,
    )
    .action((id: string | undefined, options: Options) =>
      reportingErrors(command, exit, async () => {
        await requests(id, options)
        exit(EXIT.ok)
      }),
    )
}

async function requests(id: string | undefined, options: Options): Promise<void> {
  const { follow, har } = options
  if ([id !== undefined, follow, har !== undefined].filter(Boolean).length > 1) {
    throw new InputError('Give only one of an ID, --follow and --har.')
  }
  if (options.as !== undefined && options.json) {
    throw new InputError('Give only one of --as and --json.')
  }
  const mock = new Mock(options)
  const address = `/_mock/requests?${new URLSearchParams(filterOf(options))}`.replace(/\?$/, '')
  const list = async () => (await mock.get<{ data: LoggedRequest[] }>(address)).data
  if (id !== undefined) {
    const found = await mock.get<LoggedRequest>(`/_mock/requests/${encodeURIComponent(id)}`)
    return print(await whole(found, mock, options))
  }
  if (har !== undefined) {
    return save(har, await mock.get(address.replace('requests', 'requests.har')))
  }
  if (follow) return followed(list, mock, options)
  const found = await list()
  if (options.json) return print(JSON.stringify(found))
  const form = formOf(options)
  if (form) {
    for (const one of found) await printCode(one, form, mock)
    return
  }
  print(inWords(found, Object.keys(filterOf(options))))
}

function filterOf({ method, path, status }: Options): Record<string, string> {
  return { ...(method && { method }), ...(path && { path }), ...(status && { status }) }
}

/** Prints requests as they arrive, until the process is stopped. */
async function followed(
  list: () => Promise<LoggedRequest[]>,
  mock: Mock,
  options: Options,
): Promise<void> {
  const form = formOf(options)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  let known = new Set((await list()).map(({ id, at }) => id + at))
  process.stderr.write(`Waiting for requests to ${mock.url}. Stop with Ctrl+C.\n`)
  while (!stopping.signal.aborted) {
    const found = await list()
    const fresh = found.filter(({ id, at }) => !known.has(id + at)).reverse()
    known = new Set(found.map(({ id, at }) => id + at))
    for (const one of fresh) {
      if (form && !options.json) await printCode(one, form, mock)
      else print(options.json ? JSON.stringify(one) : line(one))
    }
    await pause(INTERVAL, undefined, { signal: stopping.signal }).catch(() => {})
  }
}

async function save(file: string, har: { log: { entries: unknown[] } }): Promise<void> {
  try {
    // Bodies may hold personal data.
    await writeFile(file, JSON.stringify(har), { mode: 0o600 })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new InputError(`--har: ${file} cannot be written (${code}). Name another file.`)
  }
  print(`Wrote ${har.log.entries.length} requests to ${file}.`)
}

/** One request, as the options say. */
async function whole(request: LoggedRequest, mock: Mock, options: Options): Promise<string> {
  if (options.json) return JSON.stringify(request)
  const form = formOf(options)
  if (form) return code(request, form, mock)
  const { reason, fault, headers, body, response } = request
  const fields = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([name, value]) => `  ${name}: ${value}`)
  const lines = [
    line(request),
    ...(reason === null ? [] : [`Refused: ${reason}`]),
    ...(fault === null ? [] : [`Fault: ${fault}`]),
    'Request:',
    ...fields(headers),
    ...(body === null ? [] : ['', body, '']),
    `Response: ${response.status ?? 'the connection was reset'}`,
    ...fields(response.headers),
    ...(response.body === null ? [] : ['', response.body]),
  ]
  return lines.join('\n')
}

function formOf({ as, curl }: Options): CodeForm | undefined {
  return as ?? (curl && 'curl')
}

/** Prints the code of one request among others: some have none. */
async function printCode(request: LoggedRequest, form: CodeForm, mock: Mock): Promise<void> {
  try {
    print(await code(request, form, mock))
  } catch (error) {
    if (!(error instanceof MockError && error.status !== null)) throw error
    process.stderr.write(`${request.id}: ${error.message}\n`)
  }
}

async function code({ id }: LoggedRequest, form: CodeForm, mock: Mock): Promise<string> {
  return (await mock.text(`/_mock/requests/${encodeURIComponent(id)}?as=${form}`)).trimEnd()
}

function targetOf({ path, query }: LoggedRequest): string {
  return query ? `${path}?${query}` : path
}

function line(request: LoggedRequest): string {
  return cellsOf(request).join('  ')
}

function cellsOf(request: LoggedRequest): string[] {
  const { id, at, method, response, duration_ms, fault, reason } = request
  const note = fault === null ? (reason ?? '') : `fault: ${fault}`
  const status = String(response.status ?? 'reset')
  return [at.slice(11, 19), status, method, targetOf(request), `${duration_ms} ms`, id, note]
}

function inWords(requests: readonly LoggedRequest[], filters: readonly string[]): string {
  if (requests.length === 0 && filters.length > 0) {
    const given = filters.map((name) => `--${name}`).join(' and ')
    return `No requests match. Leave out ${given} to list all.`
  }
  if (requests.length === 0) {
    return 'No requests yet. Call the API with the same key, or wait for calls with --follow.'
  }
  const headings = ['TIME', 'STATUS', 'METHOD', 'PATH', 'TOOK', 'ID', 'NOTE']
  return table(headings, requests.map(cellsOf))
}
