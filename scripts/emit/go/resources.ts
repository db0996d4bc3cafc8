import type { Api, Operation, Resource, TypeRef } from '../../model/types.ts'
import { listed, oneLine } from '../core/comment.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { PREVIEW } from '../core/remarks.ts'
import { serviceFields } from './client.ts'
import { resultsOf } from './contract.ts'
import { remarks } from './doc.ts'
import { GoFile, WIDTH } from './file.ts'
import { quote } from './literal.ts'
import {
  allName,
  argument,
  methodName,
  pagesName,
  pascal,
  resourcesOf,
  serviceType,
} from './naming.ts'
import { Types } from './references.ts'
import { subjects } from './subjects.ts'

/** A struct per resource; a method is a verb, a path and where its arguments go. */
export function emitResources(api: Api, sources: Sources): OutFile {
  const file = new GoFile('services', sources.contract, api.platform.goPackage)
  const scope = { api, types: new Types(api), file }
  for (const resource of resourcesOf(api.resources)) service(resource, scope)
  return file.finish()
}

/** The context in which methods are written. */
interface Scope {
  api: Api
  types: Types
  file: GoFile
}

function service(resource: Resource, scope: Scope): void {
  const { file } = scope
  const { path, text, children, operations } = resource
  const type = serviceType(resource)
  // A resource without operations takes its text from a child.
  const about = operations.length > 0 ? text : null
  file.doc(`${type} is ${['Client', ...path.map(pascal)].join('.')}.`, about)
  const fields = () => serviceFields(children, operations.length > 0, file)
  file.block(`type ${type} struct {`, fields, '}').lines('')
  for (const operation of operations) {
    for (const method of methodsOf(operation, scope)) write(type, operation, method, scope)
  }
}

/** One method of a struct. */
interface Method {
  name: string
  /** The paragraphs of its comment. */
  doc: string[]
  returns: string
  /** The code that makes the request from its input. */
  request: (input: string) => string
}

function methodsOf(operation: Operation, scope: Scope): Method[] {
  const { types, file } = scope
  const { page, path } = operation
  const name = methodName(operation)
  if (!page) return [{ name, doc: docOf(operation, scope), ...callOf(operation, scope) }]
  file.use('iter')
  const item = types.text(page.item, file)
  const by = (helper: string) => (input: string) =>
    `${helper}[${item}](ctx, s.api, ${quote(path)}, ${input}, opts)`
  const all = allName(operation)
  const about =
    `${all} returns the items of all pages of ${name}. It fetches each page when the iteration reaches it. ` +
    'An error ends the iteration.'
  return [
    {
      name,
      doc: docOf(operation, scope),
      returns: `(*Page[${item}], error)`,
      request: by('list'),
    },
    {
      name: all,
      doc: [about, ...deprecation(operation)],
      returns: `iter.Seq2[*${item}, error]`,
      request: by('all'),
    },
    {
      name: pagesName(operation),
      doc: [
        `${pagesName(operation)} returns all pages of ${name}, like ${all}.`,
        ...deprecation(operation),
      ],
      returns: `iter.Seq2[*Page[${item}], error]`,
      request: by('pages'),
    },
  ]
}

/** The result type of a method, and the runtime function that returns it. */
function callOf(
  { result, verb, path }: Operation,
  { types, file }: Scope,
): Pick<Method, 'returns' | 'request'> {
  const target = `${quote(verb)}, ${quote(path)}`
  if (result.format === 'none') {
    const request = (input: string) => `s.api.call(ctx, ${target}, ${input}, nil, opts)`
    return { returns: 'error', request }
  }
  const [type, ...others] = result.types
  if (!type || others.length > 0) {
    const request = (input: string) => `callByStatus(ctx, s.api, ${target}, ${input}, opts)`
    return { returns: '(any, error)', request }
  }
  const helper = types.model(type) ? 'call' : 'callValue'
  return {
    returns: `(${types.result(type, file)}, error)`,
    request: (input) =>
      `${helper}[${types.content(type, file)}](ctx, s.api, ${target}, ${input}, opts)`,
  }
}

function write(
  type: string,
  operation: Operation,
  { name, doc, returns, request }: Method,
  scope: Scope,
): void {
  const { file } = scope
  const input = `input{${inputsOf(operation, scope.types).join(', ')}}`
  const body = () => {
    const line = `return ${request(input)}`
    if (operation.pathParams.length === 0 && line.length + file.indentation <= WIDTH) {
      file.lines(line)
      return
    }
    file.lines(`in := ${input}`, `return ${request('in')}`)
  }
  const parameters = argumentsOf(operation, scope).join(', ')
  file.doc(...doc)
  file.block(`func (s *${type}) ${name}(${parameters}) ${returns} {`, body, '}').lines('')
}

function argumentsOf(operation: Operation, scope: Scope): string[] {
  const { types, file } = scope
  const { pathParams, body, params } = operation
  file.use('context')
  return [
    'ctx context.Context',
    ...pathParams.map(({ name, type }) => `${argument(name)} ${types.text(type, file)}`),
    ...(body ? [`body ${bodyType(body.type, body.required, scope)}`] : []),
    ...(params ? [`params ${requiresParams(operation) ? '' : '*'}${types.name(params)}`] : []),
    'opts ...RequestOption',
  ]
}

/** A body that may be left out is nil then; a nil list would be sent as an empty one. */
function bodyType(type: TypeRef, required: boolean, { types, file }: Scope): string {
  const text = types.content(type, file)
  const isPlain = text === 'string' || text === '[]byte'
  const isOmittable = isPlain || types.isInterface(type) || types.isPointer(type)
  return required || isOmittable ? text : `*${text}`
}

function requiresParams({ queryParams, headerParams }: Operation): boolean {
  return [...queryParams, ...headerParams].some(({ required }) => required)
}

function inputsOf({ pathParams, params, body }: Operation, types: Types): string[] {
  const path = pathParams.map(({ name }) => argument(name)).join(', ')
  return [
    ...(path === '' ? [] : [`path: []any{${path}}`]),
    ...(params ? ['params: params'] : []),
    ...(body ? ['body: body'] : []),
    ...(body?.required && types.isInterface(body.type) ? ['needsBody: true'] : []),
  ]
}

function docOf(operation: Operation, scope: Scope): string[] {
  const { doc, id, pathParams, result, isPreview } = operation
  const name = methodName(operation)
  const parameters = pathParams.flatMap(({ name, doc }) =>
    doc.text === null ? [] : [`${argument(name)}: ${oneLine(doc.text)}`],
  )
  return [
    ...(doc.text === null ? [`${name} sends ${id}.`] : [opening(name, doc.text), id]),
    ...parameters,
    ...(result.types.length > 1 ? [`The result is one of ${resultsText(operation, scope)}.`] : []),
    ...(result.optional ? ['The result is zero if the response has no content.'] : []),
    ...(isPreview ? [PREVIEW] : []),
    ...(operation.successor ? deprecation(operation) : remarks(doc)),
  ]
}

/** What to call instead of an old name. */
function deprecation({ successor, ...operation }: Operation): string[] {
  if (!successor) return []
  const now = subjects.operation({ ...operation, ...successor, successor: null })
  return [`Deprecated: use Client.${now}.`]
}

/** The types of results, with their statuses. */
function resultsText(operation: Operation, { types, file }: Scope): string {
  const texts = resultsOf(operation).map(({ status, type }) => {
    const text = types.result(type, file)
    return `${type.kind === 'ref' ? `[${text}]` : text} (${status})`
  })
  return listed(texts)
}

/** A first word that looks like a verb, and ends in `s` without being one of these. */
const VERB = /^(?!(?:This|Its|Always|Does|Has|Is|Was|Us)\b)[A-Z][a-z]*[a-rtv-z]s\b/

/** A text as a sentence that starts with the name of the method. */
function opening(name: string, text: string): string {
  const trimmed = text.trim()
  if (!VERB.test(trimmed)) return `${name}: ${trimmed}`
  return `${name} ${trimmed.slice(0, 1).toLowerCase()}${trimmed.slice(1)}`
}
