/** Paths of rules: a path, a template such as `/v1/things/{id}`, or the start of paths followed by `*`. */
import { invalid } from '../door/problem.ts'

/** Whether a path of a rule is the path of a request. */
export function covers(wanted: string, path: string): boolean {
  if (wanted.endsWith('*')) return path.startsWith(wanted.slice(0, -1))
  if (!wanted.includes('{')) return path === wanted
  const [parts, given] = [wanted.split('/'), path.split('/')]
  const fits = (part: string, at: number) => isOpen(part) || part === given[at]
  return parts.length === given.length && parts.every(fits)
}

/**
 * A path of a rule, if a request of the contract can have it.
 *
 * @throws {Problem} 422 for any other: a rule that nothing meets would make a test pass for no reason.
 */
export function templateOf(wanted: string, templates: readonly string[]): string {
  if (templates.some((template) => canMeet(wanted, template))) return wanted
  const near = templates.find((template) => template.endsWith(wanted))
  const hint = near ? `Did you mean ${near}?` : `Its paths are: ${unique(templates).join(', ')}.`
  throw invalid(`No path of the contract is ${wanted.slice(0, 200)}. ${hint}`)
}

function canMeet(wanted: string, template: string): boolean {
  const start = wanted.endsWith('*') ? wanted.slice(0, -1) : null
  const [parts, known] = [(start ?? wanted).split('/'), template.split('/')]
  const last = parts.length - 1
  const fits = (part: string, at: number) => {
    const other = known[at]
    if (other === undefined) return false
    if (isOpen(part) || isOpen(other)) return true
    return start !== null && at === last ? other.startsWith(part) : part === other
  }
  return (start !== null || parts.length === known.length) && parts.every(fits)
}

function isOpen(part: string): boolean {
  return part.includes('{')
}

function unique(all: readonly string[]): string[] {
  return [...new Set(all)]
}
