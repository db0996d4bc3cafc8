/** When a delivery is retried: five attempts within 24 hours, with exponential backoff. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The waits after the first, second, third and fourth attempt, in milliseconds (assumed). */
export const GAPS: readonly number[] = [15 * MINUTE, HOUR, 4 * HOUR, 16 * HOUR]
/** The share by which a wait varies to either side, so that retries do not come all at once. */
export const JITTER = 0.1

export interface Schedule {
  /** Multiplies each wait. */
  timeScale: number
  /** From 0 to 1; the same for the same delivery and attempt. */
  chance: (delivery: number, attempt: number) => number
}

/**
 * The wait after an attempt that failed.
 *
 * @param attempted How many attempts the cycle has seen, that one included.
 * @returns null after the last one.
 */
export function waitAfter(
  attempted: number,
  delivery: number,
  { timeScale, chance }: Schedule,
): number | null {
  const gap = GAPS[attempted - 1]
  if (gap === undefined) return null
  const factor = 1 - JITTER + 2 * JITTER * chance(delivery, attempted)
  return Math.round(gap * factor * timeScale)
}

/** A chance that only its arguments decide (a round of the SplitMix32 mixer). */
export function seededChance(delivery: number, attempt: number): number {
  let mixed = (Math.imul(delivery, 0x9e3779b9) + Math.imul(attempt, 0x85ebca6b)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}
