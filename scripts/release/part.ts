import type { Comparison } from '../changes/diff.ts'

/** What is written from a difference of contracts, and kept up to date with it. */
export interface Part {
  /** The files that earlier runs wrote, by their paths from the root; none that a person wrote. */
  own(root: string): string[]
  /** What the files have to hold now. @throws Unreadable */
  files(comparison: Comparison, root: string): Map<string, string> | Promise<Map<string, string>>
}
