/** Prints a line on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Aligns rows below their headings. */
export function table(headings: readonly string[], rows: readonly string[][]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
