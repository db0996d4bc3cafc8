import { distance } from 'fastest-levenshtein'

/** The most changes that a typing error makes. */
const MOST = 3

/** The word that was probably meant; undefined where none is near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((one) => ({ one, changes: distance(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ changes, one }) => changes <= Math.min(MOST, one.length / 2))
    .sort((a, b) => a.changes - b.changes)
  return best?.one
}
