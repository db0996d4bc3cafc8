import { wrap } from '../core/comment.ts'
import { header, type OutFile } from '../core/file.ts'
import { Writer } from '../core/writer.ts'

/** How long a line may be where we choose; gofmt breaks none. */
export const WIDTH = 100

/** How many columns a tab counts for. */
const TAB = 4

/** A file of the package. It collects its imports and writes them first. */
export class GoFile extends Writer {
  readonly #path: string
  readonly #source: string
  readonly #package: string
  readonly #imports = new Set<string>()
  #own = ''
  #about = ''

  /**
   * @param name Of the file, without `.gen.go`.
   * @param source The source that the header names.
   * @param packageName The name in the package clause.
   */
  constructor(name: string, source: string, packageName: string) {
    super('\t')
    this.#path = `${name}.gen.go`
    this.#source = source
    this.#package = packageName
  }

  override get indentation(): number {
    return super.indentation * TAB
  }

  /** Imports a package of the standard library. */
  use(path: string): this {
    this.#imports.add(path)
    return this
  }

  /** Imports the SDK into a package beside it. @param spec The path, after a name where it needs one. */
  useOwn(spec: string): this {
    this.#own = spec
    return this
  }

  /** Writes a comment; nothing where there is nothing to say. */
  doc(...paragraphs: Array<string | null>): this {
    const lines = commentLines(paragraphs, WIDTH - this.indentation)
    return lines.length === 0 ? this : this.lines(...lines)
  }

  /** Writes the package comment. */
  about(...paragraphs: string[]): this {
    this.#about = commentLines(paragraphs, WIDTH)
      .map((line) => `${line}\n`)
      .join('')
    return this
  }

  finish(): OutFile {
    const standard = [...this.#imports].sort().map((path) => `"${path}"`)
    const imports = [...standard, ...(this.#own ? [this.#own] : [])].map((spec) => `\t${spec}\n`)
    const [only = ''] = imports
    const block =
      imports.length === 0
        ? ''
        : imports.length === 1
          ? `import ${only.trim()}\n\n`
          : `import (\n${imports.join('')})\n\n`
    const top = `// ${header(this.#source)}\n\n${this.#about}package ${this.#package}\n\n`
    return { path: this.#path, content: `${top}${block}${this.toString().trimEnd()}\n` }
  }
}

/** Paragraphs as the lines of a comment. */
function commentLines(paragraphs: ReadonlyArray<string | null>, width: number): string[] {
  const text = paragraphs.filter((paragraph) => paragraph !== null && paragraph.trim() !== '')
  return wrap(text.join('\n\n'), width - 3).map((line) => `// ${line}`.trimEnd())
}
