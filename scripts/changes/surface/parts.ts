/** Arguments with their types, members and results, in the order of the text. */
export function partsOf(text: string, edges = '(){};\n,|'): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text) {
    if ('[<'.includes(character)) depth += 1
    if (']>'.includes(character)) depth -= 1
    const isEdge = edges.includes(character) && (depth <= 0 || !',|'.includes(character))
    if (isEdge) parts.push(part)
    part = isEdge ? '' : part + character
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '')
}
