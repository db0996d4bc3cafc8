/** Compares responses as Prism's own tests do: the status, the named headers, the body. */
import type { Answer, Scenario } from './scenario.ts'

/** The headers whose values count. Of others, Prism's tests only want that they are there. */
const COMPARED: ReadonlySet<string> = new Set(['content-type'])
/** Headers that say how a response was sent, not what it is. */
const TRANSPORT: ReadonlySet<string> = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
])

export interface Difference {
  /** `status`, `body` or the name of a header. */
  part: string
  expected: string
  found: string
}

/** The parts in which a response is not the expected one. */
export function differences(
  { expected, compared }: Pick<Scenario, 'expected' | 'compared'>,
  found: Answer,
): Difference[] {
  const all: Difference[] = []
  const compare = (part: string, expected: string, found: string, isSame = expected === found) => {
    if (!isSame) all.push({ part, expected, found })
  }
  compare('status', String(expected.status), String(found.status))
  for (const [name, value] of Object.entries(expected.headers)) {
    if (TRANSPORT.has(name)) continue
    const sent = found.headers[name] ?? 'none'
    const isSame = COMPARED.has(name) ? essence(value) === essence(sent) : name in found.headers
    compare(name, value, sent, isSame)
  }
  // Of XML, Prism's tests never compare the values.
  const means = compared === 'body' && isXml(expected.body) ? 'shape' : compared
  compare('body', expected.body, found.body, SAME[means](expected.body, found.body))
  return all
}

type Compare = (expected: string, found: string) => boolean

const SAME: Record<Scenario['compared'], Compare> = {
  body: (expected, found) => expected === found,
  shape: sameShape,
  members: (expected, found) => membersOf(expected) === membersOf(found),
}

/** A media type without its character set. */
function essence(value: string): string {
  return value.replace(/;\s*charset=[^;]*/i, '').toLowerCase()
}

function isXml(body: string): boolean {
  return body.startsWith('<')
}

function sameShape(expected: string, found: string): boolean {
  if (isXml(expected)) return isXml(found) && tags(expected) === tags(found)
  const [wanted, sent] = [json(expected), json(found)]
  if (wanted === undefined || sent === undefined) return expected === found
  return holds(wanted, sent)
}

/** Whether a value has the types and members of another, and perhaps more. */
function holds(wanted: unknown, sent: unknown): boolean {
  if (kindOf(wanted) !== kindOf(sent)) return false
  return Object.entries(objectOf(wanted)).every(([name, value]) => {
    return Object.hasOwn(objectOf(sent), name) && holds(value, objectOf(sent)[name])
  })
}

/** The elements of XML without their order and values. */
function tags(xml: string): string {
  return (xml.match(/<\/?[^\s>]+/g) ?? []).sort().join('')
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function membersOf(body: string): string {
  return Object.keys(objectOf(json(body))).join()
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
