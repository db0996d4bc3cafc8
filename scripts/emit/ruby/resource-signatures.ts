import type { Api, Operation, Resource } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { type Argument, callOf, keywords, keywordsOf, positional } from './call.ts'
import { apart, type RubyWriter, signatureFile } from './file.ts'
import { methodName, resourceClass, resourceMethod } from './naming.ts'
import { grouped, literalType, orNil, type References } from './references.ts'
import { type Overload, signature } from './signature.ts'

/** The signatures of the resources' methods, in RBS. */
export function emitResourceSignatures(
  api: Api,
  references: References,
  sources: Sources,
): OutFile {
  return signatureFile(api.platform, 'resources', sources.contract, (file) => {
    const parts = api.resources.flatMap(family).map((resource) => () => {
      const open = `class ${resourceClass(resource)} < Core::Resource`
      file.block(open, () => members(resource, references, file), 'end')
    })
    apart(file, parts)
  })
}

/** The client, in RBS. */
export function emitClientSignature(api: Api, sources: Sources): OutFile {
  return signatureFile(api.platform, 'client', sources.contract, (file) => {
    const inside = () => {
      linkSignatures(api.resources, file)
      withResponse(() => linkSignatures(api.resources, file, '::_WithResponse'), file)
    }
    file.block('class Client < Core::BaseClient', inside, 'end')
  })
}

function family(resource: Resource): Resource[] {
  return [resource, ...resource.children.flatMap(family)]
}

function members(resource: Resource, references: References, file: RubyWriter): void {
  const { children, operations } = resource
  linkSignatures(children, file)
  for (const operation of operations) method(operation, references, (type) => type, file)
  const inside = () => {
    linkSignatures(children, file, '::_WithResponse')
    const wrap = (type: string) => `RawResponse[${type}]`
    for (const operation of operations) method(operation, references, wrap, file)
  }
  withResponse(inside, file)
}

function linkSignatures(resources: readonly Resource[], file: RubyWriter, inner = ''): void {
  for (const resource of resources) {
    const result = `${resourceClass(resource)}${inner}`
    signature(resourceMethod(resource), [{ parameters: [], result }], file)
  }
}

function withResponse(inside: () => void, file: RubyWriter): void {
  file.lines('def with_response: () -> _WithResponse', '')
  file.block('interface _WithResponse', inside, 'end')
}

function method(
  operation: Operation,
  references: References,
  wrap: (type: string) => string,
  file: RubyWriter,
): void {
  const returned = resultOf(operation, references)
  const wrapped = wrap(returned)
  const result = wrapped === returned ? grouped(returned) : wrapped
  signature(methodName(operation), overloads(operation, result, references), file)
}

const OPTIONS = '?request_options: Core::request_options'

function overloads(operation: Operation, result: string, references: References): Overload[] {
  const call = callOf(operation, references.declarations)
  const before = positional(call).map(({ variable, required, type }) => {
    return `${required ? '' : '?'}${grouped(references.given(type))} ${variable}`
  })
  const named = (list: readonly Argument[]) => list.map((one) => keyword(one, references))
  const { body } = call
  if (body.kind !== 'variants') {
    return [{ parameters: [...before, ...named(keywords(call)), OPTIONS], result }]
  }
  const { variable } = body.tag
  return body.variants.map((variant) => {
    const tag = `${variable}: ${tagType(variant.value)}`
    return { parameters: [...before, tag, ...named(keywordsOf(variant, call)), OPTIONS], result }
  })
}

/** The value of a tag, as a string or a symbol. */
function tagType(value: string): string {
  const text = literalType(value)
  return /^"\w+"$/.test(text) ? `${text} | :${value}` : `${text} | ::Symbol`
}

function keyword(argument: Argument, references: References): string {
  const { variable, type, required, fallback, isPart } = argument
  const given = references.given(type, isPart)
  if (required) return `${variable}: ${given}`
  return `?${variable}: ${fallback === 'nil' ? orNil(given) : given}`
}

function resultOf({ page, result }: Operation, references: References): string {
  if (page) return `Page[${references.out(page.item)}]`
  const types = [...new Set(result.types.map((type) => references.out(type)))]
  if (types.length === 0) return 'nil'
  return result.optional ? orNil(types.join(' | ')) : types.join(' | ')
}
