import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../repository.ts'

const SCRIPTS = join(ROOT, 'scripts')

// Each layer may import itself and those above it in this list, and nothing below.
const LAYERS = [
  'yaml',
  'contract',
  'model',
  'lower',
  'emit/core',
  'emit/*',
  'programs',
  'changes',
  'upgrades',
]

const EMITTERS = readdirSync(join(SCRIPTS, 'emit')).filter((name) => name !== 'core')

interface Import {
  from: string
  to: string
}

describe('imports go one way', () => {
  const imports = sources().flatMap(importsOf)

  it('finds the imports that it judges', () => {
    expect(imports.length).toBeGreaterThan(100)
  })

  it('no layer imports a later one', () => {
    const wrong = imports.filter(({ from, to }) => {
      const target = layerOf(to)
      return to.startsWith(SCRIPTS) && (target === -1 || target > layerOf(from))
    })
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('the model imports nothing', () => {
    const wrong = imports.filter(({ from, to }) => within(from, 'model') && !within(to, 'model'))
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('no emitter imports another', () => {
    const wrong = imports.filter(({ from, to }) =>
      EMITTERS.some(
        (name) =>
          within(from, `emit/${name}`) &&
          to.startsWith(join(SCRIPTS, 'emit')) &&
          !within(to, `emit/${name}`) &&
          !within(to, 'emit/core'),
      ),
    )
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('the report of changes takes nothing but the name rules from the emitters', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        within(from, 'changes') &&
        to.startsWith(join(SCRIPTS, 'emit')) &&
        !to.endsWith('/subjects.ts'),
    )
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('no emitter reads or writes files', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        EMITTERS.some((name) => within(from, `emit/${name}`)) && /^node:(?!path$)/.test(to),
    )
    expect(wrong.map(describeImport)).toEqual([])
  })
})

function sources(): string[] {
  return ['yaml', 'contract', 'model', 'lower', 'emit', 'programs', 'changes', 'upgrades'].flatMap(
    (folder) =>
      readdirSync(join(SCRIPTS, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(SCRIPTS, folder, path)),
  )
}

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Import[] = []
  const add = (node: ts.Node | undefined) => {
    if (!node || !ts.isStringLiteral(node)) return
    const to = node.text.startsWith('.') ? resolve(dirname(file), node.text) : node.text
    found.push({ from: file, to })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function layerOf(file: string): number {
  const path = relative(SCRIPTS, file)
  const exact = LAYERS.findIndex((layer) => path.startsWith(`${layer}/`))
  return exact === -1 && path.startsWith('emit/') ? LAYERS.indexOf('emit/*') : exact
}

function within(file: string, folder: string): boolean {
  return file.startsWith(join(SCRIPTS, folder, '/'))
}

function describeImport({ from, to }: Import): string {
  return `${relative(SCRIPTS, from)} imports ${to.startsWith(SCRIPTS) ? relative(SCRIPTS, to) : to}`
}
