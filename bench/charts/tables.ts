// The kept tables of README.md.

export interface Table {
  head: string[]
  rows: string[][]
  /** As it stands in the page. */
  text: string
}

/** The tables between the markers of a run, in their order. */
export function tablesOf(page: string, run: string): Table[] {
  const [, after = ''] = page.split(`<!-- ${run}:begin -->\n`)
  const [kept = ''] = after.split(`<!-- ${run}:end -->`)
  return [...kept.matchAll(/(?:^\|.*\n)+/gm)].map(([text]) => {
    const [head = [], , ...rows] = text.trim().split('\n').map(cellsOf)
    return { head, rows, text: text.trim() }
  })
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** The figure of a cell: what stands in parentheses, else the number that it begins with. Null without one. */
export function figureOf(cell: string): number | null {
  const text = /\(([\d.,]+)\)/.exec(cell)?.[1] ?? /^[\d.,]+/.exec(cell)?.[0]
  return text === undefined ? null : Number(text.replaceAll(',', ''))
}
