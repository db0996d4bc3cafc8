import type { Match } from './types.ts'

/** A rule, and the utilities that it names. */
export interface Shared {
  rule: Match
  utils: Record<string, Match>
}

/** Parts that are shorter stay where they are. */
const MIN_LENGTH = 100

/** The same rule, in which a part that stands in several places is a utility. */
export function share({ rule, utils }: Shared): Shared {
  const counts = new Map<string, number>()
  visit([rule, ...Object.values(utils)], (part) => {
    const text = JSON.stringify(part)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  })
  const names = new Map<string, string>()
  const parts: Record<string, Match> = {}
  const replaced = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(named)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        key,
        key === 'not' ? named(value) : replaced(value),
      ]),
    )
  }
  const named = (part: unknown): unknown => {
    const text = JSON.stringify(part)
    if (text.length < MIN_LENGTH || (counts.get(text) ?? 0) < 2) return replaced(part)
    const known = names.get(text)
    if (known !== undefined) return { matches: known }
    const name = `part-${names.size + 1}`
    names.set(text, name)
    parts[name] = replaced(part) as Match
    return { matches: name }
  }
  const whole = replaced(rule) as Match
  const rest = Object.entries(utils).map(([name, util]) => [name, replaced(util)] as const)
  return { rule: whole, utils: { ...Object.fromEntries(rest), ...parts } as Record<string, Match> }
}

/** Calls back for all that can be a utility: what stands in lists, and what is denied. */
function visit(part: unknown, found: (part: unknown) => void): void {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (Array.isArray(part) || key === 'not') found(value)
    visit(value, found)
  }
}
