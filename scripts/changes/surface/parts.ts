/** Arguments with their types, members and results, in the order of the text. */
export function partsOf(text: string, edges = '(){};\n,|'): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let part = ''
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote
    else if (`'"`.includes(character)) quote = character
    else if ('[<'.includes(character)) depth += 1
    else if (']>'.includes(character)) depth -= 1
    const isEdge =
      quote === '' && edges.includes(character) && (depth <= 0 || !',|'.includes(character))
    if (isEdge) parts.push(part)
    part = isEdge ? '' : part + character
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '')
}
