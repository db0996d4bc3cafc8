import ts from 'typescript'

/** Three words in a row. SQL, names and URLs have none. */
const PROSE = /[a-z]+ [a-z]+ [a-z]+/
/** Tags of HTML, blank lines, and breaks before indented lines. */
const BREAKS = /<[!/]?[a-z][^<>]*>|\n\s*\n|\n {2,}/
const IDENTIFIER = /(?<!`)\b\w*_\w*\b/g

/** The texts of a program that people read: its messages and pages, each text a paragraph. */
export function messages(source: string): string {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    found.push(...(textOf(node)?.split(BREAKS) ?? []))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest))
  return found
    .map((text) => text.trim().replaceAll('<', '&lt;').replace(IDENTIFIER, '`$&`'))
    .filter((text) => PROSE.test(text))
    .join('\n\n')
}

/** The text of a literal, with code for each value in it. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  const spans = node.templateSpans.map(({ literal }) => literal.text)
  return [node.head.text, ...spans].join('`value`')
}
