import type { Platform } from '../../model/types.ts'
import { oneLine, wrap } from '../core/comment.ts'
import { header, type OutFile } from '../core/file.ts'
import { Writer } from '../core/writer.ts'

const WIDTH = 100

/** The parts of a file outside its module. */
interface Around {
  /** From its own folder. */
  requires?: readonly string[]
  /** The description of the module. */
  doc?: string
}

/** Writes Ruby or RBS as RuboCop lays it out; there is no formatter behind it. */
export class RubyWriter extends Writer {
  /** Whether a line, or the last of several, stays within the width of a file. */
  fits(text: string): boolean {
    const last = text.slice(text.lastIndexOf('\n') + 1)
    return this.indentation + last.length <= WIDTH
  }

  /** Writes text as a comment; nothing where there is nothing to say. */
  doc(...paragraphs: Array<string | null>): this {
    const text = paragraphs.filter((paragraph) => paragraph !== null && paragraph.trim() !== '')
    const lines = wrap(text.join('\n\n'), this.#room).map(escapeLine)
    return this.lines(...lines.map((line) => `# ${line}`.trimEnd()))
  }

  /** Writes YARD's tags; lines after the first are indented. */
  tags(tags: readonly string[], { indent = 0 } = {}): this {
    const margin = ' '.repeat(indent)
    for (const tag of tags) this.#hanging(`# ${margin}`, tag)
    return this
  }

  /** Writes a list below a tag of YARD. */
  bullets(items: readonly string[]): this {
    for (const item of items) this.#hanging('#   * ', item)
    return this
  }

  /** Items between brackets: in one line where they fit, or else in as few as they fill. */
  list(open: string, items: readonly string[], close: string, separator = ', '): string {
    const space = open.endsWith('{') ? ' ' : ''
    const line = `${open}${space}${items.join(separator)}${space}${close}`
    if (this.fits(line)) return line
    return [open, ...this.filled(items, separator, '  '), close].join('\n')
  }

  /** Items between brackets: in one line where they fit, or else each in its own. */
  column(open: string, items: readonly string[], close: string): string {
    const line = `${open}${items.join(', ')}${close}`
    return this.fits(line) ? line : [open, `  ${items.join(',\n  ')}`, close].join('\n')
  }

  get #room(): number {
    return WIDTH - this.indentation - 2
  }

  #hanging(lead: string, text: string): void {
    const rest = `${lead.replace('*', ' ')}${lead.includes('*') ? '' : '  '}`
    const lines = wrap(oneLine(text), WIDTH - this.indentation - rest.length)
    const [first = '', ...others] = lines.map(escapeDirectives)
    this.lines(lead + first, ...others.map((line) => rest + line))
  }

  /** Items in as few lines as they fill. */
  filled(items: readonly string[], separator = ', ', margin = ''): string[] {
    const lines: string[] = []
    for (const [index, item] of items.entries()) {
      const text = index < items.length - 1 ? item + separator.trimEnd() : item
      const before = lines.at(-1)
      const longer = before === undefined ? null : `${before} ${text}`
      if (longer !== null && this.fits(longer)) lines[lines.length - 1] = longer
      else lines.push(margin + text)
    }
    return lines
  }
}

/** A file of the gem's library, with the content of its module. */
export function rubyFile(
  { gem, rubyModule }: Platform,
  path: string,
  source: string,
  write: (file: RubyWriter) => void,
  { requires = [], doc }: Around = {},
): OutFile {
  const file = new RubyWriter()
  file.lines(`# ${header(source)}`, '# frozen_string_literal: true', '')
  for (const required of requires) file.lines(`require_relative "${required}"`)
  if (requires.length > 0) file.lines('')
  if (doc) file.doc(doc)
  file.block(`module ${rubyModule}`, () => write(file), 'end')
  return { path: `lib/${gem}/generated/${path}.rb`, content: file.toString() }
}

/** A file of signatures, with the content of its module. */
export function signatureFile(
  { rubyModule }: Platform,
  path: string,
  source: string,
  write: (file: RubyWriter) => void,
): OutFile {
  const file = new RubyWriter()
  file.lines(`# ${header(source)}`)
  file.block(`module ${rubyModule}`, () => write(file), 'end')
  return { path: `sig/generated/${path}.rbs`, content: file.toString() }
}

/** Calls each function, with an empty line between any two. */
export function apart(file: RubyWriter, parts: ReadonlyArray<() => void>): void {
  for (const [index, write] of parts.entries()) {
    if (index > 0) file.lines('')
    write()
  }
}

/** The service's default for an omitted value. */
export function defaultText({ default: value }: { default?: unknown }): string | null {
  return value === undefined ? null : `Default: \`${JSON.stringify(value)}\`.`
}

/** The start of a YARD tag, or of a comment that Ruby interprets. */
const MARKS =
  /^(\s*)(?=@|(?:coding|encoding|frozen.string.literal|shareable.constant.value|warn.indent)\s*:)/i

/** A line of text that is neither a tag of YARD, nor a directive, nor a magic comment. */
function escapeLine(line: string): string {
  return escapeDirectives(line.replace(MARKS, '$1\\'))
}

/** Text in which RuboCop finds no directive and Ruby no magic comment. */
function escapeDirectives(line: string): string {
  return line.replace(/\brubocop\s*:/g, 'rubocop\\:').replaceAll('-*-', '-\\*-')
}

/** Items by a key of theirs, in the order of the items. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
