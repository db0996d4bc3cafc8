import type { Match } from './types.ts'

/** A rule, and the utilities that it names. */
export interface Shared {
  rule: Match
  utils: Record<string, Match>
}

/** Parts of fewer nodes stay where they are. */
const MIN_SIZE = 8

/** What equal parts have in common. */
interface Kin {
  id: number
  /** How many nodes a part has. */
  size: number
  /** How many places may have a utility instead. */
  places: number
}

/** The same rule, in which a part that stands in several places is a utility. */
export function share({ rule, utils }: Shared): Shared {
  const kin = kinOf([rule, ...Object.values(utils)])
  const names = new Map<number, string>()
  const parts: Record<string, Match> = {}
  const rewritten = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(placed)
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).map(([key, value]) => [
      key,
      key === 'not' ? placed(value) : rewritten(value),
    ])
    return Object.fromEntries(entries)
  }
  const placed = (part: unknown): unknown => {
    const { id, size, places } = kin.get(part) ?? { id: -1, size: 0, places: 0 }
    if (size < MIN_SIZE || places < 2) return rewritten(part)
    const known = names.get(id)
    if (known !== undefined) return { matches: known }
    const name = `part-${names.size + 1}`
    names.set(id, name)
    parts[name] = rewritten(part) as Match
    return { matches: name }
  }
  const whole = rewritten(rule) as Match
  const named = Object.entries(utils).map(([name, util]) => [name, rewritten(util)])
  return { rule: whole, utils: { ...Object.fromEntries(named), ...parts } }
}

/** All objects in some parts, with what they have in common with equal ones. */
function kinOf(parts: readonly unknown[]): Map<unknown, Kin> {
  const byObject = new Map<unknown, Kin>()
  const byText = new Map<string, Kin>()
  const visit = (part: unknown, isPlace: boolean): { text: string; size: number } => {
    if (typeof part !== 'object' || part === null) return { text: JSON.stringify(part), size: 1 }
    const children = Object.entries(part).map(([key, value]) => {
      return { key, ...visit(value, Array.isArray(part) || key === 'not') }
    })
    const text = children.map(({ key, text }) => `${key}:${text}`).join()
    const size = children.reduce((sum, child) => sum + child.size, 1)
    const kin = byText.get(text) ?? { id: byText.size, size, places: 0 }
    if (isPlace) kin.places += 1
    byText.set(text, kin)
    byObject.set(part, kin)
    return { text: `#${kin.id}`, size }
  }
  for (const part of parts) visit(part, false)
  return byObject
}
