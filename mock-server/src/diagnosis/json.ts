/** A way of writing JSON, with its description for a finding. */
interface Style<Write> {
  words: string
  write: Write
}

type Tokens = readonly string[]

// Each style escapes text like the JSON library of some language.
const escapes =
  (pattern: RegExp, digits = (hex: string) => hex) =>
  (text: string) =>
    text.replace(
      pattern,
      (char) => `\\u${digits(char.charCodeAt(0).toString(16).padStart(4, '0'))}`,
    )
const asciiOnly = escapes(/[\u007f-\uffff]/g)
const slashes = (text: string) => text.replaceAll('/', '\\/')

const ESCAPES: readonly Style<(text: string) => string>[] = [
  { words: 'with no more escapes than needed', write: (text) => text },
  { words: 'with non-ASCII text escaped', write: asciiOnly },
  {
    words: 'with non-ASCII text escaped in uppercase',
    write: escapes(/[\u007f-\uffff]/g, (hex) => hex.toUpperCase()),
  },
  { words: 'with slashes escaped', write: slashes },
  {
    words: 'with slashes and non-ASCII text escaped',
    write: (text) => slashes(asciiOnly(text)),
  },
  { words: 'with <, > and & escaped', write: escapes(/[<>&\u2028\u2029]/g) },
]

const compact = (tokens: Tokens) => tokens.filter((token) => !isBlank(token))

const LAYOUTS: readonly Style<(tokens: Tokens) => string>[] = [
  { words: 'with the same spaces', write: (tokens) => tokens.join('') },
  { words: 'without spaces', write: (tokens) => compact(tokens).join('') },
  {
    words: 'with a space after each colon and comma',
    write: (tokens) =>
      compact(tokens)
        .map((token) => (token === ',' || token === ':' ? `${token} ` : token))
        .join(''),
  },
  { words: 'indented by two spaces', write: (tokens) => indented(compact(tokens), '  ') },
  { words: 'indented by four spaces', write: (tokens) => indented(compact(tokens), '    ') },
  { words: 'indented by tabs', write: (tokens) => indented(compact(tokens), '\t') },
]

const ENDS: readonly Style<string>[] = [
  { words: '', write: '' },
  { words: 'with a line break at the end', write: '\n' },
]

/** An order in which a writer may have written the keys of an object. */
export type KeyOrder = Style<(keys: string[]) => string[]>

export const SORTED: KeyOrder = { words: 'with its keys sorted', write: (keys) => keys.sort() }

/** Far more than an event has. Indenting deeper JSON would take too much memory. */
const MAX_NESTING = 16

/** The same JSON in the styles of other programs, each with its description; none for other text. */
export function* rewritings(
  text: string,
  orders: readonly KeyOrder[],
): Generator<{ text: string; words: string }> {
  if (!isJSON(text) || nesting(text) > MAX_NESTING) return
  const sources = [
    { words: '', text },
    ...orders.map(({ words, write }) => ({ words, text: reordered(text, write) })),
  ]
  for (const source of sources) {
    const tokens = source.text.match(TOKENS) ?? []
    for (const escaping of ESCAPES) {
      const written = tokens.map((token) =>
        token.startsWith('"') ? escaping.write(JSON.stringify(JSON.parse(token))) : token,
      )
      for (const layout of LAYOUTS) {
        const laidOut = layout.write(written)
        for (const end of ENDS) {
          const words = [layout.words, escaping.words, source.words, end.words]
          yield { text: laidOut + end.write, words: words.filter(Boolean).join(', ') }
        }
      }
    }
  }
}

// For valid JSON, in which every string is terminated.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+|[{}[\],:]|[^\s"{}[\],:]+/g

export function isJSON(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function nesting(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    if (token === '}' || token === ']') depth--
  }
  return deepest
}

const isBlank = (token: string) => /^\s/.test(token)

function indented(tokens: Tokens, unit: string): string {
  let depth = 0
  const line = () => `\n${unit.repeat(depth)}`
  return tokens
    .map((token, index) => {
      if (token === ':') return ': '
      if (token === ',') return token + line()
      const isOpening = token === '{' || token === '['
      const isClosing = token === '}' || token === ']'
      const isEmpty = isOpening && /^[}\]]/.test(tokens[index + 1] ?? '')
      const closesEmpty = isClosing && /^[{[]/.test(tokens[index - 1] ?? '')
      if (isEmpty || closesEmpty) return token
      depth += Number(isOpening) - Number(isClosing)
      return isOpening ? token + line() : isClosing ? line() + token : token
    })
    .join('')
}

/** The JSON with the keys of its objects in another order, and its numbers unchanged. */
function reordered(text: string, order: KeyOrder['write']): string {
  const value = parseWithSource(text, (_key, value, { source }) => {
    if (typeof value === 'number') return rawJSON(source)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const fields = value as Record<string, unknown>
    return Object.fromEntries(order(Object.keys(fields)).map((key) => [key, fields[key]]))
  })
  return JSON.stringify(value)
}

// Part of Node.js 22 and of ES2026, but not yet of the types.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { source: string }) => unknown,
) => unknown
