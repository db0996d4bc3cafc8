/** What a tool returns: never more than a model should read at once. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { object } from '../contract/document.ts'

/** How many characters a result has at most, and a text in a result that would be longer. */
const MOST = 24_000
const MOST_TEXT = 2_000

export interface Bounds {
  skip: number
  /** How to get the items that are left out, after these ones. */
  rest: (next: number) => string
}

const WHOLE: Bounds = { skip: 0, rest: () => 'Ask for less.' }

/** A success with structured content, cut to size. */
export function success(
  content: object,
  bounds = WHOLE,
  notes: readonly string[] = [],
): CallToolResult {
  const { value, note } = cut(content, bounds)
  const said = [...notes, ...(note ? [note] : [])]
  return {
    content: [...said, JSON.stringify(value)].map((text) => ({ type: 'text', text })),
    structuredContent: { ...value, ...(said.length > 0 && { notes: said }) },
  }
}

/** A failure that says what to do next. */
export function failure(message: string, content: object = {}): CallToolResult {
  const { value } = cut(content, WHOLE)
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    structuredContent: { ...value },
  }
}

/** A response with an error status. */
export function refusal(status: number, body: unknown): CallToolResult {
  const { title, detail, errors } = object(body)
  const reasons = (Array.isArray(errors) ? errors : []).map((one) => {
    const { parameter, pointer, message } = object(one)
    return `- ${parameter ?? (pointer || 'the body')} ${message}`
  })
  const what = [status, title, ...(detail ? [`: ${detail}`] : [])].join(' ').replace(' : ', ': ')
  return failure([what, ...reasons, nextAfter(status)].join('\n'), { status, body })
}

const NEXT: Readonly<Record<string, string>> = {
  401: 'Next: start this server with a sandbox key, in the variable that --key-env names, and never with a live key.',
  403: 'Next: use what this key may use, or another sandbox.',
  404: 'Next: call the tool that lists these objects, and pass an ID from its result.',
  409: 'Next: read the object with its get tool. Its state does not allow this.',
  422: "Next: correct the arguments as the tool's input schema says, and call again.",
  429: 'Next: wait for Retry-After, or call sandbox_listFaults to see whether a fault rule does this.',
  '5xx': 'Next: call sandbox_listFaults. A fault rule does this on purpose, until it is removed.',
  '4xx': 'Next: read the detail, correct the call, and try again.',
}

function nextAfter(status: number): string {
  return NEXT[status] ?? NEXT[`${String(status)[0]}xx`] ?? ''
}

interface Cut {
  value: Record<string, unknown>
  note?: string
}

function cut(content: object, { skip, rest }: Bounds): Cut {
  const whole = content as Record<string, unknown>
  const list = listIn(whole.body)
  if (!list) {
    if (sizeOf(whole) <= MOST) return { value: whole }
    const value = shortened(whole) as Record<string, unknown>
    if (sizeOf(value) <= MOST) return { value, note: 'Long texts are cut.' }
    const { status } = whole
    const text = JSON.stringify(value).slice(0, MOST)
    return {
      value: { ...(status !== undefined && { status }), text },
      note: 'The result is cut. Ask for less.',
    }
  }
  const { items, within } = list
  const left = items.slice(skip)
  const isWhole = skip === 0 && sizeOf(whole) <= MOST
  if (isWhole) return { value: whole }
  const isLong = sizeOf(left) > MOST
  const shown = fitting(isLong ? (shortened(left) as unknown[]) : left)
  const next = skip + shown.length
  const isAll = next >= items.length
  return {
    value: { ...whole, body: within(shown) },
    note: `Items ${Math.min(skip + 1, items.length)} to ${next} of ${items.length}.${isAll ? '' : ` ${rest(next)}`}${isLong ? ' Long texts are cut.' : ''}`,
  }
}

/** As many items as fit, and at least one. */
function fitting(items: readonly unknown[]): unknown[] {
  let size = 0
  const end = items.findIndex((item, index) => {
    size += sizeOf(item)
    return index > 0 && size > MOST
  })
  return items.slice(0, end < 0 ? items.length : end)
}

/** The list that a body is, or has. */
function listIn(body: unknown) {
  if (Array.isArray(body)) return { items: body, within: (items: unknown[]): unknown => items }
  const found = Object.entries(object(body)).find(([, value]) => Array.isArray(value))
  if (!found) return undefined
  const [name, items] = found as [string, unknown[]]
  return { items, within: (items: unknown[]): unknown => ({ ...object(body), [name]: items }) }
}

function shortened(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) =>
      typeof one === 'string' && one.length > MOST_TEXT
        ? `${one.slice(0, MOST_TEXT)}… (${one.length - MOST_TEXT} more characters)`
        : one,
    ),
  )
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
