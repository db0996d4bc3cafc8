/** The words that the glossary replaces, as a rule of Vale. */
export function glossaryRule(page: string): string {
  const swaps = page.split('\n').flatMap((line) => {
    const [term = '', , instead = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return instead.split(',').flatMap((word) => (isWord(word) ? [`  ${word.trim()}: ${term}`] : []))
  })
  if (swaps.length === 0)
    throw new Error('docs/glossary.md has no table with the column "Instead of".')
  return [
    'extends: substitution',
    "message: \"The glossary says '%s', not '%s'.\"",
    'level: error',
    'ignorecase: true',
    'swap:',
    ...swaps,
    '',
  ].join('\n')
}

function isWord(cell: string): boolean {
  return cell.trim() !== '' && !/^-+$|^Instead of$/.test(cell.trim())
}
