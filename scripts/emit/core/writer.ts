/** Collects lines with their indentation; a language adds its imports and comments to that. */
export class Writer {
  readonly #lines: string[] = []
  readonly #unit: string
  #depth = 0

  /** @param unit One level of indentation. */
  constructor(unit = '  ') {
    this.#unit = unit
  }

  /** How many columns the current indentation takes. */
  get indentation(): number {
    return this.#depth * this.#unit.length
  }

  /** Writes lines at the current indentation; an empty one stays empty. */
  lines(...lines: string[]): this {
    for (const line of lines.flatMap((text) => text.split('\n'))) {
      this.#lines.push(line === '' ? '' : this.#unit.repeat(this.#depth) + line)
    }
    return this
  }

  /** Writes the lines of `inside` one level deeper, between two lines; null where none closes them. */
  block(open: string, inside: () => void, close: string | null): this {
    this.lines(open)
    this.#depth++
    inside()
    this.#depth--
    return close === null ? this : this.lines(close)
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}
