/** Ruff's order of imported names: constants, classes, others; in each without case first. */
export function compareMembers(a: string, b: string): number {
  return (
    rank(a) - rank(b) || compareNatural(a.toLowerCase(), b.toLowerCase()) || compareNatural(a, b)
  )
}

/** Ruff's order of `__all__`: constants, classes, others. */
export function compareExports(a: string, b: string): number {
  return rank(a) - rank(b) || compareNatural(a, b)
}

/** By code points, but digits as the numbers that they are. */
export function compareNatural(a: string, b: string): number {
  const [left, right] = [chunks(a), chunks(b)]
  for (const [index, one] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (one === other) continue
    const difference = Number(one) - Number(other)
    return Number.isNaN(difference) || difference === 0 ? (one < other ? -1 : 1) : difference
  }
  return left.length - right.length
}

function chunks(text: string): string[] {
  return text.match(/\d+|\D/g) ?? []
}

function rank(name: string): number {
  if (name.length > 1 && name === name.toUpperCase() && name !== name.toLowerCase()) return 0
  return /^\p{Lu}/u.test(name) ? 1 : 2
}
