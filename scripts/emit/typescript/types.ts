import openapiTypeScript from 'openapi-typescript'
import ts from 'typescript'
import { indexOf, receivedBy, sentBy, successorOf, type TypeIndex } from '../../model/index.ts'
import type { Api, Decl, Enum, Model } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { documentOf } from './document.ts'
import { compareNames, docComment, docText, TypeScriptFile } from './file.ts'
import { camel } from './naming.ts'

const { factory } = ts
const printer = ts.createPrinter({ removeComments: false })
const scratch = ts.createSourceFile('types.ts', '', ts.ScriptTarget.Latest)

/** Formats that openapi-typescript ignores. */
const FORMATS: Readonly<Record<string, () => ts.TypeNode>> = {
  binary: () => factory.createTypeReferenceNode('Blob'),
  int64: () =>
    factory.createUnionTypeNode([
      factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
      factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
    ]),
}

/**
 * The types of all data, and `paths` for raw calls. openapi-typescript makes them. Schemas move from
 * `components['schemas']` to the module, so that an editor shows `Message[]` and users import it.
 */
export async function emitTypes(api: Api, sources: Sources): Promise<OutFile[]> {
  const nodes = await openapiTypeScript(JSON.parse(JSON.stringify(documentOf(api))), {
    defaultNonNullable: false,
    silent: true,
    transform: ({ format }) => (format ? FORMATS[format]?.() : undefined),
  })
  const schemas = membersOf(find(nodes, 'components'), 'schemas')
  return [typesFile(api, schemas, sources), pathsFile(api, find(nodes, 'paths'), sources)]
}

function typesFile(api: Api, schemas: ReadonlyMap<string, ts.TypeNode>, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/types.ts', sources.contract)
  const index = indexOf(api.decls)
  const isInput = inputs(api)
  for (const [position, decl] of api.decls.entries()) {
    const type = schemas.get(decl.id)
    if (!type) throw new Error(`openapi-typescript left out ${decl.id}`)
    if (position > 0) file.lines('')
    file.doc(docText(decl.doc, successorOf(decl)))
    const shape = rewrite(type)
    const sent = isInput(decl.id) ? given(shape, index) : shape
    file.lines(print(declaration(decl, sent, index, docsOf(decl, api))))
  }
  if (api.decls.length === 0) file.lines('export {}')
  return file.finish()
}

function pathsFile(api: Api, paths: ts.Node, sources: Sources): OutFile {
  const file = new TypeScriptFile('generated/paths.ts', sources.contract)
  const index = indexOf(api.decls)
  const rewritten = parameters(rewrite(paths), index)
  for (const name of namesIn(rewritten, index).sort(compareNames)) {
    file.use(name, 'generated/types')
  }
  file.doc(`Every operation of the ${api.platform.title} API, in the form of openapi-typescript.`)
  return file.lines(print(prune(rewritten))).finish()
}

/** Whether only callers give values of a type: it holds parameters, or is a part of bodies alone. */
function inputs(api: Api): (id: string) => boolean {
  const sent = sentBy(api)
  const received = receivedBy(api)
  const params = new Set(api.operations.map(({ params }) => params))
  const models = new Set(api.decls.filter(({ kind }) => kind === 'model').map(({ id }) => id))
  return (id) => models.has(id) && (params.has(id) || (sent.has(id) && !received.has(id)))
}

/**
 * A type of values that callers give. Its optional fields may be undefined, for projects that tell
 * that from absent. Its enums are closed, so that a misspelt value is an error.
 */
function given<T extends ts.Node>(root: T, index: TypeIndex): T {
  const visit = (node: ts.Node): ts.Node => {
    const decl = ts.isTypeReferenceNode(node) ? index.decl(keyOf(node.typeName) ?? '') : undefined
    if (decl?.kind === 'enum') return literals(decl)
    const next = flat(ts.visitEachChild(node, visit, undefined))
    return ts.isPropertySignature(next) && next.questionToken ? orUndefined(next) : next
  }
  return visit(root) as T
}

function orUndefined(field: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, questionToken, type } = field
  if (!type || type.kind === ts.SyntaxKind.NeverKeyword) return field
  const types = ts.isUnionTypeNode(type) ? type.types : [type]
  const absent = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
  const both = factory.createUnionTypeNode([...types, absent])
  return factory.updatePropertySignature(field, modifiers, name, questionToken, both)
}

function literals({ values }: Enum): ts.TypeNode {
  return factory.createUnionTypeNode(
    values.map((value) => {
      if (typeof value === 'string') {
        return factory.createLiteralTypeNode(factory.createStringLiteral(value))
      }
      const number = factory.createNumericLiteral(Math.abs(value))
      const minus = ts.SyntaxKind.MinusToken
      return factory.createLiteralTypeNode(
        value < 0 ? factory.createPrefixUnaryExpression(minus, number) : number,
      )
    }),
  )
}

/** The parameters of raw calls, which callers give too. */
function parameters(root: ts.Node, index: TypeIndex): ts.Node {
  const visit = (node: ts.Node): ts.Node => {
    const isGiven =
      ts.isPropertySignature(node) && ['query', 'header'].includes(keyOf(node.name) ?? '')
    if (!isGiven || !node.type || !ts.isTypeLiteralNode(node.type)) {
      return ts.visitEachChild(node, visit, undefined)
    }
    const { modifiers, name, questionToken, type } = node
    return factory.updatePropertySignature(node, modifiers, name, questionToken, given(type, index))
  }
  return visit(root)
}

/** The text of each field by its key. */
function docsOf(decl: Decl, api: Api): ReadonlyMap<string, string> {
  if (decl.kind !== 'model') return new Map()
  const owner = api.operations.find(({ params }) => params === decl.id)
  const headers = new Map(owner?.headerParams.map(({ wire, name }) => [wire, camel(name)]))
  return new Map(decl.fields.map(({ wire, doc }) => [headers.get(wire) ?? wire, docText(doc)]))
}

function declaration(
  decl: Decl,
  type: ts.TypeNode,
  index: TypeIndex,
  docs: ReadonlyMap<string, string>,
): ts.Declaration {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const alias = (of: ts.TypeNode) =>
    factory.createTypeAliasDeclaration(modifiers, decl.id, undefined, of)
  if (decl.kind === 'enum') return alias(opened(type, decl))
  if (decl.kind !== 'model') return alias(type)
  const parts = ts.isIntersectionTypeNode(type) ? [...type.types] : [type]
  const literal = ownPart(parts.filter(ts.isTypeLiteralNode))
  if (isEmpty(decl)) return alias(factory.createKeywordTypeNode(ts.SyntaxKind.ObjectKeyword))
  if (literal) document(literal, docs)
  if (!canExtend(decl, index)) {
    const all = [
      ...parts.filter((part) => !ts.isTypeLiteralNode(part)),
      ...(literal ? [literal] : []),
    ]
    return alias(factory.createIntersectionTypeNode(all))
  }
  const heritage = decl.extends.map((id) =>
    factory.createExpressionWithTypeArguments(factory.createIdentifier(id), undefined),
  )
  return factory.createInterfaceDeclaration(
    modifiers,
    decl.id,
    undefined,
    heritage.length > 0
      ? [factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, heritage)]
      : undefined,
    literal?.members ?? [],
  )
}

/** The fields of a model itself. openapi-typescript separates the fields of any name. */
function ownPart(literals: readonly ts.TypeLiteralNode[]): ts.TypeLiteralNode | undefined {
  const members = literals.flatMap((literal) => [...literal.members])
  if (literals.length < 2) return literals[0]
  const isOptional = members.some((member) => member.questionToken !== undefined)
  return factory.createTypeLiteralNode(isOptional ? members.map(mayBeAbsent) : members)
}

/** `[key: string]: A | undefined`, where a field beside it may be absent. */
function mayBeAbsent(signature: ts.TypeElement): ts.TypeElement {
  if (!ts.isIndexSignatureDeclaration(signature)) return signature
  const absent = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
  const isAny = signature.type.kind === ts.SyntaxKind.UnknownKeyword
  const types = ts.isUnionTypeNode(signature.type) ? signature.type.types : [signature.type]
  const type = isAny ? signature.type : factory.createUnionTypeNode([...types, absent])
  return factory.updateIndexSignature(signature, undefined, signature.parameters, type)
}

function isEmpty({ fields, extends: bases, extra }: Model): boolean {
  return fields.length === 0 && bases.length === 0 && extra === null
}

/** Whether an interface can say it: only where no two of its parts have the same field. */
function canExtend(model: Model, index: TypeIndex): boolean {
  const seen = new Set<string>()
  const visit = (part: Model, depth: number): boolean =>
    depth < 20 &&
    (part.extra === null || part.extends.length === 0) &&
    part.fields.every(({ wire }) => !seen.has(wire) && seen.add(wire)) &&
    part.extends.every((id) => {
      const base = index.decl(id)
      return (
        base?.kind === 'model' && !isEmpty(base) && base.extra === null && visit(base, depth + 1)
      )
    })
  return visit(model, 0)
}

/** `'a' | 'b' | (string & {})`: the values are suggested, and others are allowed. */
function opened(type: ts.TypeNode, { base }: Enum): ts.TypeNode {
  const { StringKeyword, NumberKeyword } = ts.SyntaxKind
  const any = factory.createKeywordTypeNode(base === 'string' ? StringKeyword : NumberKeyword)
  const others = factory.createIntersectionTypeNode([any, factory.createTypeLiteralNode([])])
  const values = ts.isUnionTypeNode(type) ? type.types : [type]
  return factory.createUnionTypeNode([...values, factory.createParenthesizedType(others)])
}

function document(type: ts.TypeLiteralNode, docs: ReadonlyMap<string, string>): void {
  for (const member of type.members) {
    if (!member.name || ts.isComputedPropertyName(member.name)) continue
    const comment = docComment(docs.get(member.name.text) ?? '', 98)
    if (comment === null) continue
    const inside = comment.slice(2, -2)
    const kind = ts.SyntaxKind.MultiLineCommentTrivia
    ts.addSyntheticLeadingComment(member, kind, inside, true)
  }
}

/** `components['schemas']['X']` becomes `X`, and openapi-typescript's comments go. */
function rewrite<T extends ts.Node>(root: T): T {
  const visit = (node: ts.Node): ts.Node => {
    const id = schemaId(node)
    if (id !== null) return factory.createTypeReferenceNode(id)
    const next = flat(ts.visitEachChild(node, visit, undefined))
    return ts.setSyntheticLeadingComments(next, undefined)
  }
  return visit(root) as T
}

/** The declarations that a type names. */
function namesIn(root: ts.Node, index: TypeIndex): string[] {
  const names = new Set<string>()
  const visit = (node: ts.Node): ts.Node => {
    const id = ts.isTypeReferenceNode(node) ? keyOf(node.typeName) : null
    if (id !== null && index.decl(id)) names.add(id)
    return ts.visitEachChild(node, visit, undefined)
  }
  visit(root)
  return [...names]
}

/** A union without unions in it. */
function flat(node: ts.Node): ts.Node {
  if (!ts.isUnionTypeNode(node)) return node
  const types = node.types
    .map((type) => (ts.isParenthesizedTypeNode(type) ? type.type : type))
    .flatMap((type) => (ts.isUnionTypeNode(type) ? [...type.types] : [type]))
  return types.length === node.types.length ? node : factory.createUnionTypeNode(types)
}

function schemaId(node: ts.Node): string | null {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return null
  const { objectType: object, indexType: section } = node.objectType
  const isComponents = ts.isTypeReferenceNode(object) && keyOf(object.typeName) === 'components'
  return isComponents && literalKey(section) === 'schemas' ? literalKey(node.indexType) : null
}

// openapi-typescript makes some literals as identifiers that hold their quotes.
function literalKey(node: ts.TypeNode): string | null {
  if (!ts.isLiteralTypeNode(node)) return null
  const { literal } = node as { literal: ts.Node }
  return keyOf(literal)
}

function keyOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node)) return node.text
  return ts.isIdentifier(node) ? node.text.replace(/^"(.*)"$/, '$1') : null
}

/** Takes out `put?: never`, headers of any name and the like, which say nothing. */
function prune(root: ts.Node): ts.Node {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isPropertySignature(node) && saysNothing(node)) return undefined
    return ts.visitEachChild(node, visit, undefined)
  }
  return visit(root) ?? root
}

// The members that openapi-fetch reads, although they may be `never`.
const KEPT = new Set(['content', 'query', 'header', 'path', 'cookie'])

function saysNothing({ name, questionToken, type }: ts.PropertySignature): boolean {
  const key = keyOf(name) ?? ''
  if (questionToken && type?.kind === ts.SyntaxKind.NeverKeyword) return !KEPT.has(key)
  return key === 'headers' && type !== undefined && ts.isTypeLiteralNode(type)
}

function find(nodes: readonly ts.Node[], name: string): ts.Node {
  const found = nodes.find(
    (node) =>
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
      node.name.text === name,
  )
  if (!found) throw new Error(`openapi-typescript made no ${name}`)
  return found
}

/** The members of one member of an interface, by name. */
function membersOf(root: ts.Node, name: string): Map<string, ts.TypeNode> {
  const members = new Map<string, ts.TypeNode>()
  if (!ts.isInterfaceDeclaration(root)) return members
  for (const member of root.members) {
    if (!ts.isPropertySignature(member) || keyOf(member.name) !== name) continue
    if (!member.type || !ts.isTypeLiteralNode(member.type)) continue
    for (const inner of member.type.members) {
      const key = inner.name && keyOf(inner.name)
      if (key && ts.isPropertySignature(inner) && inner.type) members.set(key, inner.type)
    }
  }
  return members
}

function print(node: ts.Node): string {
  // Valid in a string literal, but line ends to many tools.
  return printer
    .printNode(ts.EmitHint.Unspecified, node, scratch)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
