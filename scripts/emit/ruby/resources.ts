import type { Api, Operation, Resource } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { type Argument, type Call, callOf, keywords, positional } from './call.ts'
import { apart, assumedText, type RubyWriter, rubyFile } from './file.ts'
import { entry, quote } from './literal.ts'
import { methodName, resourceClass, resourceFile, resourceMethod, snake } from './naming.ts'
import type { References } from './references.ts'
import { block, deprecation } from './types.ts'

/** A class per resource; a method is a verb, a path and where its arguments go. */
export function emitResources(api: Api, references: References, sources: Sources): OutFile[] {
  const emit = (resource: Resource): OutFile[] => {
    const folder = snake(resource.path.at(-1) ?? [])
    const requires = resource.children.map(({ path }) => `${folder}/${snake(path.at(-1) ?? [])}`)
    const write = (file: RubyWriter) => resourceClassOf(resource, references, file)
    const path = resourceFile(resource)
    return [
      rubyFile(api.platform, path, sources.contract, write, { requires }),
      ...resource.children.flatMap(emit),
    ]
  }
  return api.resources.flatMap(emit)
}

/** Methods that lead to resources. */
export function links(resources: readonly Resource[], client: string, file: RubyWriter) {
  return resources.map((resource) => () => {
    const type = resourceClass(resource)
    file.doc(resource.text).tags([`@return [${type}]`])
    const make = () => file.lines(`${type}.new(${client})`)
    file.block(`def ${resourceMethod(resource)}`, make, 'end')
  })
}

function resourceClassOf(resource: Resource, references: References, file: RubyWriter): void {
  const { text, path, operations, children } = resource
  file.doc(text ?? `The methods of \`${path.map(snake).join('.')}\`.`)
  const parts = [
    ...operations.flatMap((operation) => resultUnion(operation, references, file)),
    ...links(children, '@client', file),
    ...operations.map((operation) => () => method(operation, references, file)),
  ]
  const inside = () => apart(file, parts)
  file.block(`class ${resourceClass(resource)} < Core::Resource`, inside, 'end')
}

/** The constant that reads a result of several types, where the method has one. */
function resultUnion(
  operation: Operation,
  references: References,
  file: RubyWriter,
): Array<() => void> {
  const { types } = operation.result
  if (types.length < 2) return []
  const name = resultConstant(operation)
  const matched = [...new Set(types.map((type) => references.matched(type)))]
  const write = () => {
    block(`${name} = Core::Union.new`, `[${matched.join(', ')}]`, file)
    file.lines(`private_constant :${name}`)
  }
  return [write]
}

function resultConstant(operation: Operation): string {
  return `${methodName(operation).toUpperCase().replace(/_$/, '')}_RESULT`
}

function method(operation: Operation, references: References, file: RubyWriter): void {
  const call = callOf(operation, references.declarations)
  comment(operation, call, references, file)
  const items = [...signatureItems(call), 'request_options: {}']
  if (call.body.kind === 'variants') items.push('**fields')
  const head = file.list(`def ${methodName(operation)}(`, items, ')')
  file.block(head, () => request(operation, call, references, file), 'end')
}

function signatureItems(call: Call): string[] {
  return [
    ...positional(call).map(({ variable, required, fallback }) =>
      required ? variable : `${variable} = ${fallback}`,
    ),
    ...keywords(call).map(keywordItem),
  ]
}

function keywordItem({ variable, required, fallback }: Argument): string {
  return required ? `${variable}:` : `${variable}: ${fallback}`
}

function comment(operation: Operation, call: Call, references: References, file: RubyWriter): void {
  const { doc, id } = operation
  const param = (argument: Argument) => paramTag(argument, references)
  file.doc(doc.text, `\`${id}\``, assumedText(doc)).lines('#')
  file.tags(positional(call).map(param))
  if (call.body.kind === 'variants') {
    const { tag, variants } = call.body
    const others = keywords(call).filter((argument) => argument !== tag)
    for (const { value, fields } of variants) {
      const items = [
        ...positional(call).map(({ variable }) => variable),
        `${tag.variable}: ${quote(value)}`,
        ...[...fields.map(ownKeyword), ...others].map(keywordItem),
        'request_options: {}',
      ]
      file.lines(`# @overload ${methodName(operation)}(${items.join(', ')})`)
      file.tags(fields.map(ownKeyword).map(param), { indent: 2 })
    }
    file.tags(others.map(param))
  } else {
    file.tags(keywords(call).map(param))
  }
  file.tags(['@param request_options [Hash] see {Core::BaseClient#request}'])
  file.tags([`@return [${returned(operation, references)}]`])
  if (call.body.kind === 'variants') {
    const { variable } = call.body.tag
    file.tags([
      `@raise [ArgumentError] for a keyword that is no field of the given \`${variable}\``,
    ])
  }
  file.tags(['@raise (see Core::BaseClient#request)', ...deprecation(doc)])
}

/** A keyword that is handed on, and so called like the field. */
function ownKeyword(argument: Argument): Argument {
  return { ...argument, variable: argument.key }
}

function paramTag({ variable, type, doc }: Argument, references: References): string {
  const enumeration = references.enumOf(type)
  const see = enumeration && `See {${enumeration}}.`
  const text = [doc.text && oneLine(doc.text), see, assumedText(doc)]
  const said = text.filter((part) => part !== null && part !== '')
  return [`@param ${variable} [${references.yardGiven(type)}]`, ...said].join(' ')
}

/** What a method returns, as YARD says it. */
function returned({ page, result }: Operation, references: References): string {
  if (page) return `Page<${references.yard(page.item)}>`
  const isNothing = result.types.length === 0 || result.optional
  return references.yardOf(result.types, ...(isNothing ? ['nil'] : []))
}

/** The one call that a method is: a line per group of arguments. */
function request(operation: Operation, call: Call, references: References, file: RubyWriter): void {
  const { page, verb, path } = operation
  const write = () => {
    file.lines(page ? `${quote(path)},` : `${quote(verb)}, ${quote(path)},`)
    group('path_params', call.path, file)
    group('query', call.query, file)
    group('headers', call.headers, file)
    body(call, file)
    const read = readOf(operation, references)
    file.lines(`${read ? `as: ${read}, ` : ''}request_options:`)
  }
  file.block(`@client.${page ? 'list' : 'request'}(`, write, ')')
}

function group(keyword: string, list: readonly Argument[], file: RubyWriter): void {
  if (list.length === 0) return
  const entries = list.map(({ key, variable }) => entry(key, variable))
  file.lines(file.list(`${keyword}: {`, entries, '},'))
}

function body({ body }: Call, file: RubyWriter): void {
  switch (body.kind) {
    case 'none':
      return
    case 'fields': {
      const items = body.fields.map(({ key, variable }) => argument(key, variable))
      file.lines(file.list(`body: ${body.model}.new(`, items, '),'))
      return
    }
    case 'variants': {
      const { key, variable } = body.tag
      file.lines(
        file.list(`body: ${body.union}.build(`, [argument(key, variable), '**fields'], '),'),
      )
      return
    }
    case 'value':
      file.lines('body:,')
  }
}

function argument(key: string, variable: string): string {
  return key === variable ? `${key}:` : `${key}: ${variable}`
}

function readOf(operation: Operation, references: References): string | null {
  const { page, result } = operation
  if (page) return references.read(page.item)
  const [type, second] = result.types
  if (second) return resultConstant(operation)
  return type ? references.read(type) : null
}
