/** Reads recorded traffic: a HAR file of any program, or its entries as lines of JSON. */
import { open } from 'node:fs/promises'
import { REDACTED } from '../record/har.ts'
import { UnusableInput } from './upgrade.ts'

/** One exchange of the file. */
export interface Recorded {
  /** Its number in the file, from 1. */
  entry: number
  method: string
  url: URL
  /** By names in lower case. Redacted values are left out, unless only their presence counts. */
  headers: Record<string, string>
  /** Null for a body that is not there as a whole. */
  body: Buffer | null
  /** 0 where there was no response. */
  status: number
  responseType: string
  /** Null for a body that is not there as a whole, or is no text. */
  response: string | null
}

export interface Traffic {
  recorded: Recorded[]
  /** Why entries cannot be read. */
  unreadable: string[]
}

type Json = Record<string, unknown>

/** Node.js cannot hold longer texts. */
const MAX_BYTES = 400 * 1024 * 1024
const CURE = 'Name a HAR file, as browsers, proxies and `serve --record` write it.'

/** @throws {UnusableInput} */
export async function readTraffic(file: string): Promise<Traffic> {
  const entries = entriesOf(file, await textOf(file))
  const recorded: Recorded[] = []
  const unreadable: string[] = []
  for (const [index, entry] of entries.entries()) {
    const read = recordedOf(entry, index + 1)
    if (typeof read === 'string') unreadable.push(`entry ${index + 1} ${read}`)
    else recorded.push(read)
  }
  if (entries.length > 0 && recorded.length === 0) {
    throw new UnusableInput(
      `--traffic: ${file} has no entry that can be read: ${unreadable[0]}. ${CURE}`,
    )
  }
  return { recorded, unreadable }
}

async function textOf(file: string): Promise<string> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      if (size > MAX_BYTES) {
        const limit = `${MAX_BYTES / 1024 / 1024} MiB`
        throw new UnusableInput(
          `--traffic: ${file} is larger than ${limit}. Record less, or check it in parts.`,
        )
      }
      // Some programs write a byte order mark.
      return (await handle.readFile('utf8')).replace(/^\ufeff/, '')
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof UnusableInput) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new UnusableInput(
      `--traffic: ${file} ${REASONS[code] ?? `cannot be read (${code})`}. ${CURE}`,
    )
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read: you have no permission',
}

function entriesOf(file: string, text: string): unknown[] {
  const document = parsed(text)
  const lines = document === undefined ? linesOf(text) : null
  if (lines) return lines
  const { log, request } = objectOf(document)
  if (request !== undefined) return [document]
  const { entries } = objectOf(log)
  if (Array.isArray(entries)) return entries
  const what = document === undefined ? 'is neither JSON nor lines of JSON' : 'has no log.entries'
  throw new UnusableInput(`--traffic: ${file} ${what}. ${CURE}`)
}

/** Entries that stand in lines of their own. A recording that was cut has its last line in part. Null for other texts. */
function linesOf(text: string): unknown[] | null {
  const lines = text.split('\n').map((line) => line.trim().replace(/,$/, ''))
  const isHead = /^\{"log":/.test(lines[0] ?? '')
  const rest = (isHead ? lines.slice(1) : lines).filter((line) => line !== '' && line !== ']}}')
  const entries = rest.map(parsed)
  const whole = entries.at(-1) === undefined ? entries.slice(0, -1) : entries
  const isWhole = whole.every((entry) => objectOf(entry).request !== undefined)
  return isWhole && (isHead || whole.length > 0) ? whole : null
}

function recordedOf(node: unknown, entry: number): Recorded | string {
  const { request, response } = objectOf(node)
  const { method, url: address, headers, postData } = objectOf(request)
  if (typeof method !== 'string') return 'has no request.method'
  if (typeof address !== 'string') return 'has no request.url'
  const url = URL.parse(address)
  if (!url) return 'has no valid request.url'
  const { status, headers: fields, content } = objectOf(response)
  const known = namesOf(headers)
  const sent = objectOf(postData)
  if (typeof sent.mimeType === 'string' && sent.mimeType !== '')
    known['content-type'] ??= sent.mimeType
  const { mimeType } = objectOf(content)
  return {
    entry,
    method: method.toUpperCase(),
    url,
    headers: known,
    body: bodyOf(sent, sent._encoding, objectOf(request).bodySize),
    status: typeof status === 'number' ? status : 0,
    responseType: namesOf(fields)['content-type'] ?? (typeof mimeType === 'string' ? mimeType : ''),
    response: bodyOf(objectOf(content), objectOf(content).encoding, undefined)?.toString() ?? null,
  }
}

/** A body with a comment is there in part: programs say so in their own words. */
function bodyOf({ text, comment }: Json, encoding: unknown, size: unknown): Buffer | null {
  if (typeof comment === 'string' && comment !== '') return null
  if (typeof text === 'string') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  return typeof size === 'number' && size > 0 ? null : Buffer.alloc(0)
}

function namesOf(fields: unknown): Record<string, string> {
  const all = Array.isArray(fields) ? fields.map(objectOf) : []
  const pairs = all.flatMap(({ name, value }) =>
    // HTTP/2 has `:method` and others in its headers.
    typeof name === 'string' && typeof value === 'string' && !name.startsWith(':')
      ? [[name.toLowerCase(), value] as const]
      : [],
  )
  return Object.fromEntries(pairs)
}

/** Whether a value was hidden when it was recorded. */
export function isRedacted(value: string): boolean {
  return value === REDACTED
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(node: unknown): Json {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Json) : {}
}
