import type { Api, Operation, Parameter, Resource } from '../../model/types.ts'
import { oneLine } from '../core/comment.ts'
import { exampleCallOf } from '../core/examples.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PREVIEW } from '../core/remarks.ts'
import { parameterKey } from './document.ts'
import { docText, TypeScriptFile } from './file.ts'
import { propertyKey, quote } from './literal.ts'
import { camel, methodName, resourceClass, resourceModule, variable } from './naming.ts'
import { exampleOf } from './readme.ts'
import { typeText } from './references.ts'

/** A class for each resource. A method names its verb and path, and sorts its arguments. */
export function emitResources(api: Api, sources: Sources): OutFile[] {
  const emit = (resource: Resource): OutFile[] => [
    resourceFile(resource, api.decls, sources),
    ...resource.children.flatMap(emit),
  ]
  return api.resources.flatMap(emit)
}

function resourceFile(resource: Resource, decls: Api['decls'], sources: Sources): OutFile {
  const file = new TypeScriptFile(`generated/${resourceModule(resource)}.ts`, sources.contract)
  file.use('BaseClient', 'core/client')
  file.doc(resource.text)
  return file
    .block(`export class ${resourceClass(resource)} {`, () => members(resource, decls, file), '}')
    .finish()
}

function members(resource: Resource, decls: Api['decls'], file: TypeScriptFile): void {
  const children = resource.children.map((child) => ({
    field: camel(child.path.at(-1) ?? []),
    type: file.use(resourceClass(child), `generated/${resourceModule(child)}`, 'value'),
  }))
  const keepsClient = resource.operations.length > 0
  if (keepsClient) file.lines('readonly #client: BaseClient')
  file.lines(...children.map(({ field, type }) => `readonly ${field}: ${type}`), '')
  const assign = () => {
    if (keepsClient) file.lines('this.#client = client')
    file.lines(...children.map(({ field, type }) => `this.${field} = new ${type}(client)`))
  }
  file.block('constructor(client: BaseClient) {', assign, '}')
  for (const operation of resource.operations) {
    file.lines('')
    method(operation, decls, file)
  }
}

function method(operation: Operation, decls: Api['decls'], file: TypeScriptFile): void {
  const { pathParams, doc, isPreview } = operation
  const tags = pathParams.map(({ name, doc }) =>
    doc.text ? `@param ${variable(name)} ${oneLine(doc.text)}` : null,
  )
  const { text, ...rest } = doc
  const paragraphs = [
    text,
    `\`${operation.id}\``,
    isPreview ? PREVIEW : null,
    docText({ ...rest, text: null }),
    tags.filter((tag) => tag !== null).join('\n\n'),
  ]
  const call = exampleCallOf(operation, decls)
  if (call) file.docWithExample(paragraphs, exampleOf(call))
  else file.doc(...paragraphs)
  const head = `${methodName(operation)}(${argumentsOf(operation, file)}): ${result(operation, file)} {`
  file.block(head, () => body(operation, file), '}')
}

function argumentsOf(operation: Operation, file: TypeScriptFile): string {
  const { body, params, pathParams } = operation
  const later = requiresParams(operation)
  const list = pathParams.map(({ name, type }) => `${variable(name)}: ${typeText(type, file)}`)
  if (body) {
    const optional = body.required ? '' : later ? ' | undefined' : '?'
    const type = typeText(body.type, file)
    list.push(optional.startsWith(' ') ? `body: ${type}${optional}` : `body${optional}: ${type}`)
  }
  if (params) {
    const type = file.use(params, 'generated/types')
    list.push(
      later ? `params: ${type}` : split(operation) ? `params: ${type} = {}` : `params?: ${type}`,
    )
  }
  list.push(`options?: ${file.use('RequestOptions', 'core/options')}`)
  return list.join(', ')
}

function requiresParams({ queryParams, headerParams }: Operation): boolean {
  return [...queryParams, ...headerParams].some(({ required }) => required)
}

/** Whether it has parameters in both the query and the headers. */
function split({ queryParams, headerParams }: Operation): boolean {
  return queryParams.length > 0 && headerParams.length > 0
}

function result({ page, result }: Operation, file: TypeScriptFile): string {
  if (page) return `${file.use('PagePromise', 'core/pagination')}<${typeText(page.item, file)}>`
  const promise = file.use('APIPromise', 'core/promise')
  const types = [...new Set(result.types.map((type) => typeText(type, file)))]
  if (result.optional) types.push('undefined')
  return `${promise}<${types.length === 0 ? 'void' : types.join(' | ')}>`
}

function body(operation: Operation, file: TypeScriptFile): void {
  if (split(operation)) {
    const headers = operation.headerParams.map((parameter) => parameterKey(parameter, true))
    file.lines(`const { ${headers.join(', ')}, ...query } = params`)
  }
  const inputs = inputsOf(operation, file)
  const path = quote(operation.path)
  const before = operation.page ? `list(${path}` : `request('${operation.verb}', ${path}`
  const input = inputs.length > 0 ? `{ ${inputs.join(', ')} }` : '{}'
  const line = `return this.#client.${before}, ${input}, options)`
  if (line.length + file.indentation <= 100) {
    file.lines(line)
    return
  }
  file.lines(`const request = ${input}`, `return this.#client.${before}, request, options)`)
}

function inputsOf(operation: Operation, file: TypeScriptFile): string[] {
  const { pathParams, queryParams, headerParams, body } = operation
  const inputs: string[] = []
  if (pathParams.length > 0) {
    const path = pathParams.map((parameter) => pathInput(parameter, file))
    inputs.push(`path: { ${path.join(', ')} }`)
  }
  if (queryParams.length > 0) inputs.push(split(operation) ? 'query' : 'query: params')
  if (headerParams.length > 0) {
    const headers = headerParams.map((parameter) => headerInput(parameter, operation, file))
    inputs.push(`headers: { ${headers.join(', ')} }`)
  }
  if (body) inputs.push('body')
  return inputs
}

function pathInput({ wire, name, shape }: Parameter, file: TypeScriptFile): string {
  const argument = variable(name)
  if (shape === 'object') {
    return `${propertyKey(wire)}: ${file.use('items', 'core/items', 'value')}(${argument})`
  }
  return argument === wire ? wire : `${propertyKey(wire)}: ${argument}`
}

function headerInput(parameter: Parameter, operation: Operation, file: TypeScriptFile): string {
  const key = parameterKey(parameter, true)
  const object = requiresParams(operation) ? 'params.' : 'params?.'
  const value = split(operation) ? key : `${object}${key}`
  return `${propertyKey(parameter.wire)}: ${headerText(parameter, value, file)}`
}

function headerText({ type, shape }: Parameter, value: string, file: TypeScriptFile): string {
  if (type.kind === 'primitive' && type.type === 'string') return value
  if (shape !== 'object') return `${value}?.toString()`
  return `${value} && ${file.use('items', 'core/items', 'value')}(${value}).join(',')`
}
