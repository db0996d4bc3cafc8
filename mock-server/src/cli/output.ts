import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Prints a line on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Colours a text, if stdout is a terminal, `NO_COLOR` is not set, or `FORCE_COLOR` is. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** The colours of states and of results, by what they begin with. */
const STYLES: ReadonlyArray<[RegExp, Style]> = [
  [/^(?:succeeded|enabled|2\d\d(?!\d))/, 'green'],
  [/^(?:dead|cancelled|[345]\d\d(?!\d)|the connection|no complete|blocked)/, 'red'],
  [/^(?:pending|disabled)/, 'yellow'],
]

/** Colours a state or a result. */
export function judged(text: string): string {
  const [, style] = STYLES.find(([begins]) => begins.test(text)) ?? []
  return style ? styled(style, text) : text
}

/** A time in UTC as tables show it, without its fraction. */
export function timeOf(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}

/** Aligns rows below their headings. */
export function table(headings: readonly string[], rows: readonly string[][]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  return all
    .map((row, index) =>
      row
        .map((cell, column) => {
          const shown = index === 0 ? styled('bold', cell) : judged(cell)
          const isLast = column === row.length - 1
          return shown + (isLast ? '' : ' '.repeat((widths[column] ?? 0) - cell.length))
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
