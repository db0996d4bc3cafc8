import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/repository.ts'

/** Codes of other kinds: a template, a variable that has one of these codes, and an example. */
const COMPOSED = [
  ['undeclared_', ['undeclared_status', 'undeclared_example']],
  ['code', []],
] as const

it('the page of the errors has every code that the mock server sends, with its status', () => {
  const page = readFileSync(join(ROOT, 'docs/mock-server/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)]
  const listed = rows.flatMap(([, statuses = '', codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].flatMap(([, code]) =>
      statuses.split(', ').map((status) => `${status.trim()} ${code}`),
    ),
  )
  expect(listed.sort()).toEqual([...sent()].sort())
})

/** The statuses and codes of all problems in the source. */
function sent(): Set<string> {
  const found = new Set<string>()
  for (const file of globSync('mock-server/src/**/*.ts', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'Problem') {
        const [status, code] = node.arguments ?? []
        if (status && code) for (const one of codesOf(code)) found.add(`${statusOf(status)} ${one}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

function statusOf(node: ts.Expression): string {
  return ts.isNumericLiteral(node) ? node.text : 'any'
}

function codesOf(node: ts.Expression): readonly string[] {
  const composed = COMPOSED.find(([part]) => node.getText().replace(/[`']/g, '').startsWith(part))
  if (composed) return composed[1]
  return ts.isStringLiteral(node) ? [node.text] : [node.getText()]
}
