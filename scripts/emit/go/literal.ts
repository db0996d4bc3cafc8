import { grouped, unicode } from '../core/literal.ts'

/** Characters that would end a string or a line, or that are not valid in source text or UTF-8. */
const UNSAFE = /["\\\p{Cc}\u2028\u2029\ufeff\p{Cs}]/gu

/** An interpreted string literal that holds exactly this text; lone surrogates become U+FFFD. */
export function quote(text: string): string {
  const escaped = text.replace(UNSAFE, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`
    const unit = character.charCodeAt(0)
    return unicode(isSurrogate(unit) ? 0xfffd : unit)
  })
  return `"${escaped}"`
}

/** The tag of a struct's field: keys with their values. */
export function fieldTag(entries: ReadonlyArray<readonly [key: string, value: string]>): string {
  const tag = entries.map(([key, value]) => `${key}:${quote(value)}`).join(' ')
  return tag.includes('`') ? quote(tag) : `\`${tag}\``
}

/** A string or a number as the expression that makes it. */
export function literal(value: string | number): string {
  return typeof value === 'string' ? quote(value) : grouped(value)
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
