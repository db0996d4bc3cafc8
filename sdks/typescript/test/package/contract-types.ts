// The types that each entry exports because the contract has them. api-snapshot.json lists the rest.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const GENERATED = join(import.meta.dirname, '../../src/generated')

/** The names of the contract's types that an entry exports. */
export function typesOfContract(entry: string): readonly string[] {
  const types = declarationsIn('types.ts')
  if (entry === '.') return [...types.keys()]
  if (entry !== './webhooks') return []
  const events = declarationsIn('events.ts').get('KnownEvent')
  if (!events) throw new Error('events.ts does not declare KnownEvent.')
  return reachable(identifiersIn(events), types)
}

/** The types that are named, and those that they refer to at any depth. */
function reachable(names: readonly string[], types: ReadonlyMap<string, ts.Node>): string[] {
  const found = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const type = types.get(name)
    if (!type || found.has(name)) continue
    found.add(name)
    waiting.push(...identifiersIn(type))
  }
  return [...found]
}

/** The declarations of types in a generated file, by name. */
function declarationsIn(file: string): Map<string, ts.Node> {
  const text = readFileSync(join(GENERATED, file), 'utf8')
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const isType = (node: ts.Node) =>
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  return new Map(statements.filter(isType).map((node) => [node.name.text, node]))
}

function identifiersIn(node: ts.Node): string[] {
  const found: string[] = []
  const visit = (inner: ts.Node) => {
    if (ts.isIdentifier(inner)) found.push(inner.text)
    ts.forEachChild(inner, visit)
  }
  visit(node)
  return found
}
