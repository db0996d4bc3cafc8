// What the scripts print: Markdown, so that the README can keep it as it is.

/** A promise about one figure. */
export interface Budget {
  what: string
  actual: number
  limit: number
  /** Whether the figure must stay below the limit or reach it. */
  keep: 'at most' | 'at least'
}

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** Three significant digits. */
export function digits(value: number): string {
  return number.format(value)
}

/** A factor, such as `1.25 ×`. */
export function times(value: number): string {
  return `${value.toFixed(2)} ×`
}

/** How far the middle half of the rounds lies around the median. */
export function percent(share: number): string {
  return `± ${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}

/** Prints one table and, beneath it, which budgets it meets. */
export function report(
  head: readonly string[],
  rows: readonly string[][],
  budgets: Budget[],
): void {
  const ruler = head.map((_, column) => (column === 0 ? '---' : '---:'))
  const lines = [head, ruler, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${[...lines, '', ...budgets.map(verdict)].join('\n')}\n`)
}

/** Judges the figure that is shown, so that no 0.98 misses 0.98. */
function verdict({ what, actual, limit, keep }: Budget): string {
  const shown = actual.toFixed(2)
  const met = keep === 'at most' ? Number(shown) <= limit : Number(shown) >= limit
  return `- ${met ? 'met' : '**missed**'}: ${what} ${shown} (${keep} ${limit})`
}
