/** About how many characters are formatted at once. The formatters' memory grows with them, and stays. */
const PART = 100_000

/** How a language's formatter takes a file apart. */
export interface Cut {
  /** The blank lines before a declaration, after the end of a line. */
  before: RegExp
  /** What stands between two formatted parts. */
  blank: string
  format(part: string): string
  /** Formats a part that is not the first. */
  formatFurther?(part: string): string
}

/** Formats a file part by part, or at once where a part is not valid, because it ends within a string. */
export function formatInParts(content: string, cut: Cut): string {
  const { blank, format, formatFurther = format } = cut
  const [first = '', ...others] = partsOf(content, cut.before)
  if (others.length === 0) return format(content)
  try {
    return [format(first), ...others.map(formatFurther)].join(blank)
  } catch {
    return format(content)
  }
}

function partsOf(content: string, before: RegExp): string[] {
  const parts: string[] = []
  let start = 0
  for (const { 0: blank, index } of content.matchAll(before)) {
    if (index - start < PART) continue
    parts.push(content.slice(start, index))
    start = index + blank.length
  }
  return [...parts, content.slice(start)]
}
