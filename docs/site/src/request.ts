/** Sends a request that is written as in HTTP: the first line, headers, an empty line and the body. */

/** Where `npm start` serves. */
const USUAL = 'http://127.0.0.1:4010'

export interface Sent {
  ok: boolean
  /** The response, or what went wrong. */
  text: string
}

interface Parsed {
  method: string
  target: string
  headers: Array<[string, string]>
  body: string | null
}

let found: Promise<string> | null = null

/** The mock server that serves this page, else the usual one. */
export function serverOf(page: string): Promise<string> {
  found ??= ask(new URL(page).origin)
  return found
}

async function ask(origin: string): Promise<string> {
  try {
    const response = await fetch(`${origin}/_mock/health`)
    const isMock = response.headers.get('content-type')?.includes('json') === true
    return response.ok && isMock ? origin : USUAL
  } catch {
    return USUAL
  }
}

export async function send(text: string, server: string): Promise<Sent> {
  const request = parse(text)
  if (typeof request === 'string') return { ok: false, text: request }
  const { method, target, headers, body } = request
  try {
    const response = await fetch(server.replace(/\/$/, '') + target, { method, headers, body })
    return { ok: response.ok, text: await show(response) }
  } catch {
    const cause = `${server} did not respond. Start the mock server with support-chat-mock serve, or \`npm start\` in the repository.`
    return { ok: false, text: cause }
  }
}

/** A request, or what is wrong with its text. */
function parse(text: string): Parsed | string {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const [, method, target] = /^([A-Z]+) (\/\S*)$/.exec(first.trim()) ?? []
  if (!method || !target) return 'The first line must have a method and a path, as in: GET /path'
  const headers: Array<[string, string]> = []
  for (const line of lines) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line.trim()) ?? []
    if (!name || value === undefined)
      return `This line must be a header, as in "Name: value": ${line}`
    headers.push([name, value])
  }
  const body = rest.join('\n\n')
  return { method, target, headers, body: body === '' ? null : body }
}

async function show(response: Response): Promise<string> {
  const shown = ['content-type', 'x-request-id', 'retry-after']
  const headers = shown.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return [
    `HTTP ${response.status} ${response.statusText}`,
    ...headers,
    '',
    pretty(await response.text()),
  ].join('\n')
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
