/** What is wrong with a request or a response, in the header in which Prism's users look for it. */
import type { Problem, Reason } from '../door/problem.ts'
import type { Finding } from './validate.ts'

export interface Violation {
  /** `request` or `response`, and the path in it. */
  location: string[]
  severity: 'Error' | 'Warning'
  code?: string | number
  message: string
}

const HEADER = 'sl-violations'
/** How long the header is at most, and each text in it, in characters. */
const MAX_LENGTH = 4096
const MAX_TEXT = 256

/** The header; none where there is nothing to say. What does not fit is left out. */
export function violationsHeader(violations: readonly Violation[]): Record<string, string> {
  let list = ''
  for (const { location, message, ...violation } of violations) {
    const short = { location: location.map(shortened), ...violation, message: shortened(message) }
    const next = `${list}${list && ','}${ascii(JSON.stringify(short))}`
    if (next.length > MAX_LENGTH) break
    list = next
  }
  return list === '' ? {} : { [HEADER]: `[${list}]` }
}

/** What is wrong with a refused request. */
export function violationsOf({ status, message, errors }: Problem): Violation[] {
  if (errors) return errors.map((reason) => ofReason(reason, 'Error'))
  const location = status === 401 ? ['request'] : ['request', 'body']
  return [{ location, severity: 'Error', code: status, message }]
}

export function ofReason(
  { in: part, pointer = '', parameter, code, message }: Reason,
  severity: Violation['severity'],
): Violation {
  const steps = parameter === undefined ? pointer.split('/').slice(1) : [parameter]
  return { location: ['request', part, ...steps], severity, code, message }
}

/** What is wrong with a response. */
export function ofFinding({ path = [], code, message }: Finding): Violation {
  const location = ['response', ...path.map(String)]
  return { location, severity: 'Error', ...(code !== undefined && { code }), message }
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** A header has no characters beyond ASCII; JSON can do without. */
function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
