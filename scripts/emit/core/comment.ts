/** A paragraph that must keep its lines: lists, tables, quotes, headings, code. */
const KEPT = /^\s*(?:[-*+>|#]|\d+[.)]\s|```| {4})/m

/** Control characters and Unicode's line separators would end a line in some language. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/gu

/**
 * Text of the contract as lines of at most `width` characters, ready for a comment: paragraphs are
 * filled, lists and code keep their lines, and nothing in it can end a line or a block comment.
 */
export function wrap(text: string, width: number): string[] {
  return paragraphs(text).flatMap((paragraph, index) => {
    const lines = KEPT.test(paragraph) ? kept(paragraph) : fill(paragraph, width)
    return index === 0 ? lines : ['', ...lines]
  })
}

/** Text as one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSAFE, '').trim()
}

function paragraphs(text: string): string[] {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .trim()
    .split(/\n[ \t]*\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
}

function kept(paragraph: string): string[] {
  return paragraph.split('\n').map((line) => line.trimEnd().replace(UNSAFE, ''))
}

function fill(paragraph: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of oneLine(paragraph).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Alternatives in a sentence: `a, b or c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
}
