/** Reads the header `x-mock-fault`. */
import { splitList } from '../door/media-type.ts'
import { Problem } from '../door/problem.ts'
import { MAX_DELAY, MAX_RETRY_AFTER, type Ordered, orderedOf, readDelay } from './fault.ts'

const READERS: ReadonlyMap<string, (value: string) => Partial<Ordered> | null> = new Map(
  Object.entries({
    status: (value: string) => (/^[45]\d\d$/.test(value) ? { status: Number(value) } : null),
    'retry-after': (value: string) => {
      const isValid = /^\d{1,5}$/.test(value) && Number(value) <= MAX_RETRY_AFTER
      return isValid ? { retryAfter: Number(value) } : null
    },
    delay: (value: string) => {
      const delay = readDelay(value)
      return delay === null ? null : { delay }
    },
    reset: (value: string) => (value === '' ? { cut: 'reset' as const } : null),
    truncate: (value: string) => (value === '' ? { cut: 'truncate' as const } : null),
    times: (value: string) => (/^[1-9]\d{0,5}$/.test(value) ? { times: Number(value) } : null),
    rate: (value: string) =>
      /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value) ? { rate: Number(value) } : null,
  }),
)

/** A request can have only one of these. */
const EXCLUSIVE = ['status', 'reset', 'truncate']

/** @throws {Problem} 400 for a malformed field. */
export function readField(field: string): Ordered {
  const given: Partial<Ordered> = {}
  const names: string[] = []
  for (const part of splitList(field.replaceAll(';', ','))) {
    const [, name = '', value = ''] = /^([^\s=]*)\s*=?\s*(.*)$/.exec(part) ?? []
    const read = READERS.get(name.toLowerCase())?.(value)
    if (!read) throw malformed(part)
    Object.assign(given, read)
    names.push(name.toLowerCase())
  }
  const chosen = names.filter((name) => EXCLUSIVE.includes(name))
  const hasResponse = chosen.every((name) => name === 'status')
  if (names.length === 0 || chosen.length > 1) throw malformed(field)
  if (names.includes('retry-after') && !hasResponse) throw malformed(field)
  return orderedOf(given)
}

function malformed(part: string): Problem {
  const detail = `${JSON.stringify(part.slice(0, 60))} is not a valid x-mock-fault. Use at most one of status=503, reset and truncate; add delay=2s (up to ${MAX_DELAY / 1000}s), retry-after=2 (seconds, with a status), times=2 or rate=0.1, separated by semicolons.`
  return new Problem(400, 'malformed_fault', detail)
}
