// Declarations in lines that a page has room for.

const WIDTH = 88

/** A declaration whose parameters have a line each, where one line is too long. */
export function wrapped(code: string): string {
  if (code.length <= WIDTH || code.includes('\n')) return code
  const [open, close] = longest(code)
  const parts = parted(code.slice(open + 1, close))
  if (parts.length === 0) return code
  const comma = /^(?:async )?(?:def|class) \w+\(/.test(code) || /^func/.test(code) ? ',' : ''
  const lines = parts.map((part, index) => `  ${part}${index < parts.length - 1 ? ',' : comma}`)
  return [code.slice(0, open + 1), ...lines, code.slice(close)].join('\n')
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The parentheses of the parameters: the longest that are not inside of others. */
function longest(code: string): [open: number, close: number] {
  let found: [number, number] = [0, 0]
  let depth = 0
  let open = 0
  for (const [index, character] of [...code].entries()) {
    if (character in PAIRS && depth++ === 0) open = index
    if (Object.values(PAIRS).includes(character) && --depth === 0) {
      if (code[open] === '(' && index - open > found[1] - found[0]) found = [open, index]
    }
  }
  return found
}

/** Splits at the commas that stand in no pair. */
function parted(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [index, character] of [...text].entries()) {
    const isArrow = character === '>' && /[=-]/.test(text[index - 1] ?? '')
    if (character in PAIRS || character === '<') depth++
    if (Object.values(PAIRS).includes(character) || (character === '>' && !isArrow)) depth--
    if (character === ',' && depth === 0) {
      parts.push(text.slice(from, index).trim())
      from = index + 1
    }
  }
  const last = text.slice(from).trim()
  return last ? [...parts, last] : parts
}
