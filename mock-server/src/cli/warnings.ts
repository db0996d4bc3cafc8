/** The problems of a contract in service, as warnings: few lines, however many problems there are. */

/** How many are printed. */
const MOST = 20

/** A location and what is wrong there. */
const LINE = /^(.*?:\d+:\d+): (.*)$/s

/** @param problems a line each */
export function warningsOf(problems: readonly string[]): string[] {
  const places = new Map<string, string[]>()
  for (const problem of problems) {
    const [, place = '', text = problem] = LINE.exec(problem) ?? []
    places.set(text, [...(places.get(text) ?? []), place])
  }
  const lines = [...places].slice(0, MOST).map(([text, [first, ...others]]) => {
    const count = others.length > 0 ? ` (and ${others.length} more like it)` : ''
    return `${first === '' ? '' : `${first}: `}${text}${count}`
  })
  const rest = places.size - lines.length
  if (rest > 0) lines.push(`${rest} more problems; --strict lists all, and refuses the contract.`)
  return lines
}
