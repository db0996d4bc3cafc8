import type { Doc, Field } from '../../model/types.ts'
import { oneLine, wrap } from '../core/comment.ts'
import { assumptionText, directionText } from '../core/remarks.ts'
import { literal } from './literal.ts'

const QUOTES = '"""'
const INDENT = '    '

/** The documentation of a part of the API: its text and its remarks. */
export function docText(doc: Doc): string {
  return [doc.text, assumptionText(doc), doc.deprecated && 'Deprecated.']
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}

/** The documentation of a field: also its direction and its default. */
export function fieldDoc(field: Field): Doc {
  const { doc, default: fallback } = field
  const otherwise = fallback === undefined ? null : `Default: \`${defaultText(fallback)}\`.`
  const parts = [doc.text, directionText(field), otherwise].filter((part) => part !== null)
  return { ...doc, text: parts.length > 0 ? parts.join('\n\n') : null }
}

function defaultText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : literal(value)
}

/**
 * A docstring, or null where there is nothing to say.
 *
 * @param more Lines that follow the text after a blank one, as they are.
 */
export function docString(
  text: string,
  width: number,
  more: readonly string[] = [],
): string | null {
  // The quotes take part in filling the first line.
  const filled = wrap(`${QUOTES}${text}`, width)
    .map((line, index) => (index === 0 ? line.slice(QUOTES.length) : line))
    .filter((line, index) => index > 0 || line !== '' || more.length === 0)
  const lines = [...filled, ...(more.length > 0 && filled.length > 0 ? [''] : []), ...more].map(
    escapeLine,
  )
  const [only = ''] = lines
  if (lines.every((line) => line === '')) return null
  return lines.length === 1 && only.length + 2 * QUOTES.length <= width
    ? `${QUOTES}${only}${QUOTES}`
    : [`${QUOTES}${lines.join('\n')}`, QUOTES].join('\n')
}

/** The entry of one argument under `Args:`. */
export function argumentLines(name: string, doc: Doc, width: number): string[] {
  const [text, ...notes] = [doc.text, assumptionText(doc)]
    .concat(doc.deprecated ? 'Deprecated.' : [])
    .filter((part) => typeof part === 'string' && part !== '')
  if (!text) return []
  return [
    ...hang(`${name}: ${text}`, width),
    ...notes.flatMap((note) => wrap(oneLine(note ?? ''), width - INDENT.length).map(indent)),
  ]
}

/** Text as lines of which all but the first are indented. */
export function hang(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of oneLine(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = INDENT + word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

export function indent(line: string): string {
  return line === '' ? '' : INDENT + line
}

/** Nothing in a line can end the docstring or means something else than it shows. */
function escapeLine(line: string): string {
  return line.replaceAll('\\', '\\\\').replace(/"(?="|$)/g, '\\"')
}
