import { posix } from 'node:path'
import type { Doc } from '../../model/types.ts'
import { wrap } from '../core/comment.ts'
import { header, type OutFile } from '../core/file.ts'
import { assumptionText } from '../core/remarks.ts'
import { Writer } from '../core/writer.ts'

const WIDTH = 100

/** A module. Its imports come first. */
export class TypeScriptFile extends Writer {
  readonly #path: string
  readonly #source: string
  readonly #imports = new Map<string, Map<string, 'type' | 'value'>>()

  /**
   * @param path From the package's `src`.
   * @param source The source that the header names.
   */
  constructor(path: string, source: string) {
    super()
    this.#path = path
    this.#source = source
  }

  /**
   * Imports a name and gives it back.
   *
   * @param module From the package's `src`, without an extension.
   */
  use(name: string, module: string, kind: 'type' | 'value' = 'type'): string {
    const names = this.#imports.get(module) ?? new Map<string, 'type' | 'value'>()
    this.#imports.set(module, names)
    if (names.get(name) !== 'value') names.set(name, kind)
    return name
  }

  /** Writes a doc comment, unless it is empty. */
  doc(...paragraphs: Array<string | null>): this {
    const text = paragraphs.filter((paragraph) => paragraph !== null && paragraph.trim() !== '')
    const comment = docComment(text.join('\n\n'), WIDTH - this.indentation)
    return comment === null ? this : this.lines(comment)
  }

  /** Writes a doc comment that ends with code. */
  docWithExample(paragraphs: Array<string | null>, example: string): this {
    const text = paragraphs.filter((paragraph) => paragraph !== null && paragraph.trim() !== '')
    const lines = wrap(text.join('\n\n'), WIDTH - this.indentation - 3)
    const all = [...lines, '', '@example', ...example.split('\n')].map(escapeLine)
    return this.lines('/**', ...all.map((line) => ` * ${line}`.trimEnd()), ' */')
  }

  finish(): OutFile {
    const imports = [...this.#imports]
      .map(([module, names]) => ({ module: this.#relative(module), names }))
      .sort((a, b) => distance(a.module) - distance(b.module) || (a.module < b.module ? -1 : 1))
      .map(({ module, names }) => importLine(module, names))
    const top = [`// ${header(this.#source)}`, ...imports]
    const body = this.toString()
    // Biome counts a re-export without a comment as one more import.
    const gap = /^export [^=]* from /.test(body) && imports.length === 0 ? [] : ['']
    return { path: `src/${this.#path}`, content: [...top, ...gap, body].join('\n') }
  }

  #relative(module: string): string {
    const path = posix.relative(posix.dirname(this.#path), module)
    return `${path.startsWith('.') ? '' : './'}${path}.js`
  }
}

/** The doc comment of a part of the API: its text, its assumption, and what to use instead of it. */
export function docText(doc: Doc, successor: string | null = null): string {
  const instead = successor === null ? '' : ` Use {@link ${successor}} instead.`
  return [doc.text, assumptionText(doc), doc.deprecated && `@deprecated${instead}`]
    .filter((part) => typeof part === 'string')
    .join('\n\n')
}

/** A doc comment, or null for an empty text. */
export function docComment(text: string, width: number): string | null {
  const lines = wrap(text, width - 3).map(escapeLine)
  if (lines.length === 0) return null
  const [only = ''] = lines
  return lines.length === 1 && only.length + 7 <= width
    ? `/** ${only} */`
    : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n')
}

/** The tags that the emitters write. Any other line that starts like a tag is text of the contract. */
const TAGS = /^@(?=(?:deprecated|default|throws|example|param)\b)/

function escapeLine(line: string): string {
  const text = TAGS.test(line) ? line : line.replace(/^(\s*)@/, '$1\\@')
  return text.replaceAll('*/', '*\\/')
}

// Biome's order: the farthest modules first.
function distance(module: string): number {
  return module.startsWith('.') ? -(module.match(/\.\.\//g)?.length ?? 0) : -100
}

function importLine(module: string, names: ReadonlyMap<string, 'type' | 'value'>): string {
  const sorted = [...names].sort(([a], [b]) => compareNames(a, b))
  const onlyTypes = sorted.every(([, kind]) => kind === 'type')
  const list = sorted.map(([name, kind]) => (kind === 'type' && !onlyTypes ? `type ${name}` : name))
  return `import ${onlyTypes ? 'type ' : ''}{ ${list.join(', ')} } from '${module}'`
}

/** Biome's natural order: regardless of case, then capitals first, digits as numbers. */
export function compareNames(a: string, b: string): number {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}
