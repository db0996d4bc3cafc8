import { escaped, grouped } from '../core/literal.ts'

/** A string literal that holds exactly this text; half a character, which no UTF-8 has, becomes U+FFFD. */
export function quote(text: string): string {
  const content = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\\"\p{Cc}\u2028\u2029]/gu, escaped)
    .replace(/#(?=[{$@])/g, '\\#')
  return `"${content}"`
}

/** A constant that holds lines of text, none of which is the mark alone. */
export function heredoc(name: string, mark: string, text: string): string {
  // RuboCop refuses quotes where nothing is escaped.
  const isPlain = !/\\|#[{@$]/.test(text)
  const lines = text.split('\n').map((line) => `  ${line}`)
  return [`${name} = <<~${isPlain ? mark : `'${mark}'`}`, ...lines, mark].join('\n')
}

/** A plain value as the expression that makes it. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return grouped(value)
  return value === null || value === undefined ? 'nil' : String(value)
}

/** An entry of a hash: `id:` where the variable is called like its key. */
export function entry(key: string, variable: string): string {
  if (key === variable) return `${key}:`
  return `${quote(key)} => ${variable}`
}

/** The words that `%w[…]` and `%i[…]` can hold. */
export function isWord(text: string): boolean {
  return /^[\w-]+$/.test(text)
}
