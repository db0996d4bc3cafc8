// How everything here is timed: all contenders take turns in small slices, in a new random order each
// round. A machine that slows down thus slows all of them, and a ratio taken inside each round survives
// it. Before each turn the young objects of the last one are collected, so that nobody pays for others;
// a full collection would make V8 forget optimized code and favour whoever runs without it.

/** What each contender took in one round, in microseconds per call. */
export type Round<Name extends string> = Record<Name, number>

export interface Pace {
  /** How often every contender gets its turn. @default 41 */
  rounds?: number
  /** How long one turn lasts, in milliseconds. @default 20 */
  sliceMs?: number
  /** How many rounds come before those, while code that all share is compiled anew. @default 10 */
  unsettled?: number
  /** How long every contender first runs by itself, in milliseconds. @default 300 */
  warmUpMs?: number
}

/**
 * Times contenders side by side. Each call is awaited, whatever it returns, so that synchronous and
 * asynchronous contenders pay alike. Runs truest under `node --expose-gc`.
 */
export async function race<Name extends string>(
  contenders: Record<Name, () => unknown>,
  { rounds = 41, sliceMs = 20, unsettled = 10, warmUpMs = 300 }: Pace = {},
): Promise<Round<Name>[]> {
  const names = Object.keys(contenders) as Name[]
  const calls = {} as Record<Name, number>
  for (const name of names) {
    const perCall = await warmUp(contenders[name], warmUpMs)
    calls[name] = Math.max(1, Math.round((sliceMs * 1000) / perCall))
  }
  const results: Round<Name>[] = []
  for (let round = -unsettled; round < rounds; round++) {
    const result = {} as Round<Name>
    for (const name of shuffled(names)) {
      globalThis.gc?.({ type: 'minor' })
      result[name] = await time(contenders[name], calls[name])
    }
    if (round >= 0) results.push(result)
  }
  return results
}

/** Microseconds per call over `calls` calls. */
async function time(run: () => unknown, calls: number): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < calls; call++) await run()
  return ((performance.now() - start) * 1000) / calls
}

/** Doubles the number of calls until they fill half the time; by then the last count is a fair one. */
async function warmUp(run: () => unknown, ms: number): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    const perCall = await time(run, calls)
    if (perCall * calls >= (ms * 1000) / 2) return perCall
  }
}

/** The items in random order. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** The value that `share` of all values stay below: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? Number.NaN
  return below + (above - below) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Half of the values lie within this share of the median, on either side. */
export function noise(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / Math.abs(median(values))
}
