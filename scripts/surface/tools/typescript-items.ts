// The declarations of the TypeScript package with their comments: API Extractor's model, in the terms of the reference.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Item, Kind, Member } from '../reference/item.ts'

/** The parts of a node of API Extractor's model that are used here. */
interface Node {
  kind: string
  name?: string
  canonicalReference: string
  docComment?: string
  excerptTokens?: Array<{ text: string }>
  isOptional?: boolean
  isStatic?: boolean
  members?: Node[]
  propertyTypeTokenRange?: { startIndex: number; endIndex: number }
}

/** An entry of the package with its model. */
export interface Model {
  specifier: string
  model: { members: Array<{ members: Node[] }> }
}

const KINDS: Readonly<Record<string, Kind>> = {
  ...{ Class: 'class', Interface: 'type', TypeAlias: 'type', Enum: 'type' },
  ...{ Function: 'function', Variable: 'constant' },
}

/** The declarations of all entries, each once. */
export function itemsOf(models: readonly Model[], sources: string): Item[] {
  const files = filesOf(sources)
  const found = new Map<string, Item>()
  for (const { specifier, model } of models) {
    for (const node of model.members.flatMap(({ members }) => members)) {
      const item = itemOf(node, specifier, files)
      if (item === null) continue
      const key = `${item.name} ${item.code}`
      const known = found.get(key)
      if (known) known.from ??= item.from
      else found.set(key, item)
    }
  }
  return [...found.values()]
}

function itemOf(node: Node, specifier: string, files: ReadonlyMap<string, string>): Item | null {
  const kind = KINDS[node.kind]
  const name = bare(node.name ?? '')
  const isExported = !/!~|[!.]\w+~/.test(node.canonicalReference)
  const file = files.get(name)
  // What a bundled package declares is no part of the reference.
  if (kind === undefined || (file === undefined && !isExported)) return null
  return {
    name,
    from: isExported ? specifier : null,
    file: file ?? specifier,
    kind,
    code: codeOf(node),
    doc: docOf(node),
    members: membersOf(node.members ?? []),
  }
}

function codeOf(node: Node): string {
  const text = (node.excerptTokens ?? []).map(({ text }) => text).join('')
  const code = narrower(bare(text))
    .replace(/^export /, '')
    .replace(/^declare /, '')
    .replace(/;?\s*$/, '')
  return node.kind === 'Variable' ? `const ${code}` : code
}

/** With the indentation of our code. */
function narrower(text: string): string {
  return text.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))
}

/** Of two declarations with one name, API Extractor counts the one that is not exported. */
function bare(text: string): string {
  return text.replace(/(?<=\w)_2\b/g, '')
}

/** Overloads are one member. */
function membersOf(nodes: readonly Node[]): Member[] {
  const found = new Map<string, Member>()
  for (const node of nodes) {
    const member = memberOf(node)
    // The name of an error class says nothing.
    if (member.name === 'name' && /^string$/.test(member.code)) continue
    const known = found.get(member.name)
    if (known) known.code += `\n${member.code}`
    else found.set(member.name, member)
  }
  return [...found.values()]
}

function memberOf(node: Node): Member {
  const range = node.propertyTypeTokenRange
  const doc = docOf(node)
  const mark = '.'
  if (range) {
    const tokens = (node.excerptTokens ?? []).slice(range.startIndex, range.endIndex)
    const type = narrower(bare(tokens.map(({ text }) => text).join(''))).replace(/^ {2}/gm, '')
    const name = `${node.name}${node.isOptional ? '?' : ''}`
    return { name, mark, kind: 'field', code: type, doc }
  }
  const name = node.name ?? { Constructor: 'constructor' }[node.kind] ?? `(${node.kind})`
  return { name, mark, kind: 'method', code: codeOf(node), doc }
}

function docOf({ docComment = '' }: Node): string {
  // API Extractor says so where a constructor has no comment.
  if (/Constructs a new instance of the/.test(docComment)) return ''
  const [text = '', ...examples] = docComment.split(/(?<=@example)/)
  return [text, ...examples.map(indented)].join('')
}

/** Code with the indentation that API Extractor takes from it. */
function indented(comment: string): string {
  let depth = 0
  const lines = comment.split('\n').map((line) => {
    const code = line.replace(/^ \*(?: +|$)/, '')
    if (/^[)}\]]/.test(code)) depth--
    const text = code === line ? line : ` * ${'  '.repeat(depth)}${code}`
    depth += (code.match(/[({[]/g)?.length ?? 0) - (code.match(/[)}\]]/g)?.length ?? 0)
    if (/^[)}\]]/.test(code)) depth++
    return text
  })
  return lines.join('\n')
}

const DECLARED =
  /^(?:export )?(?:declare |abstract |async |default )*(?:class|interface|type|const|function|enum) (\w+)/gm

/** The file that declares each name. */
function filesOf(sources: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const file of globSync('**/*.ts', { cwd: sources }).sort().reverse()) {
    const text = readFileSync(join(sources, file), 'utf8')
    for (const [, name = ''] of text.matchAll(DECLARED)) files.set(name, file)
  }
  return files
}
