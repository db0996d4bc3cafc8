import { oneLine } from './comment.ts'

/** Joins paragraphs, without the empty ones. */
export function blocks(...parts: ReadonlyArray<string | false | null | undefined>): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n\n')
}

/** Text on one line, also in a cell of a table. */
export function inline(text: string): string {
  return oneLine(text).replaceAll('|', '\\|')
}

/** Text as inline code. The text may contain backticks. */
export function code(text: string): string {
  const plain = inline(text)
  return plain.includes('`') ? `\`\` ${plain} \`\`` : `\`${plain}\``
}

/** Plain text as Markdown that shows it as it is, on one line. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^[-+=]|^(\d+)(?=[.)])/, (start, digits) => (digits ? `${digits}\\` : `\\${start}`))
}

/** A block of code. */
export function fenced(language: string, text: string): string {
  // A fence is longer than any run of backticks in its content.
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${fence}${language}\n${text}\n${fence}`
}

/** A value as a block of JSON. */
export function json(value: unknown): string {
  return fenced('json', JSON.stringify(value, null, 2))
}

/** A table; its cells are Markdown on one line. */
export function table(heads: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The anchor of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}
