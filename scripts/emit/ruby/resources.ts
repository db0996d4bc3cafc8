import type { Api, Operation, Resource } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { assumptionText, PREVIEW } from '../core/remarks.ts'
import {
  type Argument,
  type Call,
  callOf,
  keywords,
  keywordsOf,
  positional,
  type Variant,
} from './call.ts'
import { apart, defaultText, type RubyWriter, rubyFile } from './file.ts'
import { entry, literal, quote } from './literal.ts'
import { methodName, resourceClass, resourceFile, resourceMethod, snake } from './naming.ts'
import type { References } from './references.ts'
import { subjects } from './subjects.ts'
import { deprecation, untagged } from './types.ts'

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
  if (!isUnion(operation, references)) return []
  const { types } = operation.result
  const name = resultConstant(operation)
  const matched = new Set(types.map((type) => references.matched(type)))
  if (types.some((type) => references.isNullable(type))) matched.add('::NilClass')
  const write = () => {
    untagged(name, [...matched], file)
    file.lines(`private_constant :${name}`)
  }
  return [write]
}

/** Whether a result may be of several types: an object is never null by itself. */
function isUnion({ result }: Operation, { declarations }: References): boolean {
  const [type, second] = result.types
  if (!type || second) return second !== undefined
  const resolved = declarations.resolve(type)
  return resolved.kind === 'nullable' && declarations.target(resolved.of)?.kind === 'model'
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
  const inside = () => {
    warn(operation, file)
    request(operation, call, references, file)
  }
  file.block(head, inside, 'end')
}

/** Says at run time that a name is an old one. Ruby shows such warnings with -W:deprecated. */
function warn(operation: Operation, file: RubyWriter): void {
  const { successor } = operation
  if (!successor) return
  const [old = '', now = ''] = [operation, { ...operation, ...successor }].map(subjects.operation)
  const text = quote(`${old} is deprecated. Use ${now} instead.`)
  file.lines(file.list('::Kernel.warn(', [text, 'category: :deprecated', 'uplevel: 1'], ')'), '')
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
  file
    .doc(doc.text, `\`${id}\``, operation.isPreview ? PREVIEW : null, assumptionText(doc))
    .lines('#')
  file.tags(tagsOf(positional(call), references))
  const { body } = call
  if (body.kind === 'variants') {
    for (const variant of body.variants)
      overload(operation, call, body.tag, variant, references, file)
    file.tags(
      tagsOf(
        keywords(call).filter((argument) => argument !== body.tag),
        references,
      ),
    )
  } else {
    file.tags(tagsOf(keywords(call), references))
  }
  file.tags(['@param request_options [Hash] see {Core::BaseClient#request}'])
  file.tags([`@return [${returned(operation, references)}]`])
  if (body.kind === 'variants') {
    const { variable } = body.tag
    file.tags([
      `@raise [ArgumentError] for a keyword that is no field of the given \`${variable}\``,
    ])
  }
  file.tags(['@raise (see Core::BaseClient#request)', ...deprecation(doc)])
}

/** How a method is called for one variant of its body. */
function overload(
  operation: Operation,
  call: Call,
  tag: Argument,
  variant: Variant,
  references: References,
  file: RubyWriter,
): void {
  const items = [
    ...positional(call).map(({ variable }) => variable),
    `${tag.variable}: ${quote(variant.value)}`,
    ...keywordsOf(variant, call).map(keywordItem),
    'request_options: {}',
  ]
  file.lines(`# @overload ${methodName(operation)}(${items.join(', ')})`)
  const own = keywordsOf(variant, { ...call, query: [], headers: [] })
  file.tags(tagsOf(own, references), { indent: 2 })
}

function tagsOf(list: readonly Argument[], references: References): string[] {
  return list.map((argument) => {
    const { variable, type, doc, isPart } = argument
    const enumeration = references.enumOf(type)
    const see = enumeration && `See {${enumeration}}.`
    const text = [doc.text && oneLine(doc.text), see, defaultText(argument), assumptionText(doc)]
    const said = text.filter((part) => part !== null && part !== '')
    return [`@param ${variable} [${references.yardGiven(type, isPart)}]`, ...said].join(' ')
  })
}

/** The result type of a method, in YARD. */
function returned({ page, result }: Operation, references: References): string {
  if (page) return `Page<${references.yard(page.item)}>`
  const isNothing = result.types.length === 0 || result.optional
  return references.yardOf(result.types, ...(isNothing ? ['nil'] : []))
}

/** The one call that a method is: a line per group of arguments. */
function request(operation: Operation, call: Call, references: References, file: RubyWriter): void {
  const { page, verb, path } = operation
  const write = () => {
    const target = page ? [`${quote(path)},`] : [`${quote(verb)},`, `${quote(path)},`]
    file.lines(...file.filled(target, ' '))
    group('path_params', call.path, file)
    group('query', call.query, file)
    group('headers', call.headers, file)
    body(operation, call, file)
    const types = typesOf(operation, references).filter(([, type]) => type !== null)
    const read = types.map(([keyword, type]) => `${keyword}: ${type}`)
    file.lines(...file.filled([...read, 'request_options:']))
  }
  file.block(`@client.${page ? 'list' : 'request'}(`, write, ')')
}

function group(keyword: string, list: readonly Argument[], file: RubyWriter): void {
  if (list.length === 0) return
  const entries = list.map(({ key, variable }) => entry(key, variable))
  file.lines(file.list(`${keyword}: {`, entries, '},'))
}

function body(operation: Operation, { body }: Call, file: RubyWriter): void {
  const isOptional = operation.body?.required === false
  switch (body.kind) {
    case 'none':
      return
    case 'fields': {
      const items = body.fields.map(({ key, variable }) => argument(key, variable))
      const make = isOptional ? 'optional' : 'new'
      file.lines(file.list(`body: ${body.model}.${make}(`, items, '),'))
      return
    }
    case 'form': {
      const fixed = body.constants.map(({ wire, value }) => `${quote(wire)} => ${literal(value)}`)
      const entries = body.fields.map(({ key, variable }) => entry(key, variable))
      const [open, close] = isOptional ? ['Core::Body.optional(', '),'] : ['{', '},']
      file.lines(file.list(`body: ${open}`, [...fixed, ...entries], close))
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

/** The types by which the runtime reads the result, where it is not plain JSON. */
function typesOf(operation: Operation, references: References): [string, string | null][] {
  const { page, result } = operation
  const [type] = result.types
  const whole = type ? references.read(type) : null
  if (page)
    return [
      ['as', references.read(page.item)],
      ['page', whole],
    ]
  return [['as', isUnion(operation, references) ? resultConstant(operation) : whole]]
}
