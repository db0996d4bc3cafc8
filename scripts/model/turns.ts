/** Operations or events in the order in which samples show them. */
export function inTurn<T extends { turn: number }>(parts: readonly T[]): T[] {
  return [...parts].sort((a, b) => a.turn - b.turn)
}
