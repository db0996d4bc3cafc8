import type { IdempotencyMark } from '../contract/extensions.ts'
import {
  isObject,
  type Json,
  keysOf,
  list,
  object,
  pointerOf,
  sortedEntries,
} from '../contract/json.ts'
import type {
  Body,
  Doc,
  Idempotency,
  Model,
  Name,
  Operation,
  Stability,
  TypeRef,
  Verb,
} from '../model/types.ts'
import { dotted, fold, pascal, singularName } from '../model/words.ts'
import { assumedOf, type Context, docOf, examplesOf, stabilityOf } from './context.ts'
import { checkForm } from './forms.ts'
import { chooseMedia } from './media.ts'
import { methodOf, namedBy, pathPrefix, withoutExtension } from './methods.ts'
import { paginationOf } from './pagination.ts'
import { type Parameters, parametersOf } from './parameters.ts'
import { responsesOf, resultOf } from './responses.ts'
import type { Path, Schemas } from './schemas.ts'
import { turnOf } from './turns.ts'

const VERBS: ReadonlyArray<[key: string, verb: Verb]> = [
  ['get', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['head', 'HEAD'],
  ['options', 'OPTIONS'],
]

/** All operations of the document, by path and then in the order of `VERBS`. */
export function operationsOf(context: Context, schemas: Schemas): Operation[] {
  const paths = sortedEntries(context.document.paths)
  const prefix = pathPrefix(paths.map(([path]) => path))
  const collections = collectionsOf(paths.map(([path]) => path))
  const stability = stabilityOf(context.document, 'stable')
  const servers = urlsOf(context.document.servers ?? object(paths[0]?.[1]).servers)
  const operations: Operation[] = []
  const order = Object.keys(object(context.document.paths))
  const positionOf = (path: string, key: string) => {
    const keys = Object.keys(context.resolve(object(context.document.paths)[path]))
    return order.indexOf(path) * 100 + keys.indexOf(key)
  }
  const nodes = new Map<string, object>()
  for (const [path, node] of paths) {
    const item = context.resolve(node)
    const isCollection = collections.has(withoutExtension(path))
    for (const [key, verb] of VERBS) {
      const operation = item[key]
      if (!isObject(operation)) continue
      const id = `${verb} ${path}`
      context.owner = id
      const built = build(
        {
          id,
          verb,
          path,
          position: positionOf(path, key),
          prefix,
          isCollection,
          item,
          operation,
          servers,
          stability,
        },
        context,
        schemas,
      )
      checkCollision(built, operation, nodes, context)
      operations.push(built)
      const former = formerOf(built, operation, schemas)
      if (!former) continue
      checkCollision(former, operation, nodes, context)
      operations.push(former)
    }
    if ('trace' in item) {
      context.note(item, 'trace', 'no SDK sends TRACE requests', 'The operation is left out')
    }
  }
  context.owner = null
  return operations
}

interface Source {
  id: string
  verb: Verb
  path: string
  /** Where it stands among all operations of the document. */
  position: number
  prefix: string
  /** Whether single things lie beneath its path. */
  isCollection: boolean
  item: Json
  operation: Json
  /** The URLs that all operations share. */
  servers: string
  stability: Stability
}

function build(source: Source, context: Context, schemas: Schemas): Operation {
  const { id, verb, path, prefix, isCollection, item, operation } = source
  const at: Path = ['paths', path, verb.toLowerCase()]
  const isList = 'x-pagination' in operation || isCollection || returnsList(operation, context)
  const { resource, method } = methodOf(verb, path, prefix, {
    item,
    operation,
    isList,
    isCollection,
  })
  const owner = [...resource.flatMap(singularName), ...method]
  const idempotency = idempotencyOf(operation, item, context)
  const headers = new Set(idempotency ? [idempotency.header.toLowerCase()] : [])
  const parameters = parametersOf(path, item, operation, at, owner, headers, context, schemas)
  const body = bodyOf(operation, at, owner, context, schemas)
  const responses = responsesOf(operation, at, owner, context, schemas)
  const result = resultOf(responses, operation, context)
  checkServers(source, context)
  if ('callbacks' in operation) {
    context.note(operation, 'callbacks', 'callbacks are not generated', 'Describe them as webhooks')
  }
  return {
    id,
    verb,
    path,
    turn: turnOf(operation, source.position),
    resource,
    method,
    successor: null,
    pathParams: parameters.path,
    queryParams: parameters.query,
    headerParams: parameters.header,
    params: declareParams(parameters, owner, resource, method, operation, at, schemas),
    body,
    responses,
    result,
    page: paginationOf(operation, resource, parameters, result, schemas.declarations, context),
    idempotency,
    retryable: idempotency !== null && !isAssumed(operation, item),
    isPreview: source.stability === 'stable' && stabilityOf(operation, 'stable') === 'preview',
    doc: docOfOperation(operation),
    summary: typeof operation.summary === 'string' ? operation.summary.trim() : null,
    pointer: pointerOf(at),
  }
}

/** An operation under the name that its method had before. The mark of a path and a verb is no such name. */
function formerOf(built: Operation, operation: Json, schemas: Schemas): Operation | null {
  const from = operation['x-renamed-from']
  if (typeof from !== 'string' || from.includes('/')) return null
  const { resource, method } = namedBy(from)
  const owner = [...resource.flatMap(singularName), ...method]
  const successor = { resource: built.resource, method: built.method }
  const { pathParams: path, queryParams: query, headerParams: header } = built
  const at = keysOf(built.pointer)
  const given = { path, query, header }
  const text = `The old name of \`${dotted(built.resource, built.method)}\`.`
  return {
    ...built,
    resource,
    method,
    successor,
    params: declareParams(given, owner, resource, method, operation, at, schemas),
    doc: { ...built.doc, text, deprecated: true },
  }
}

/** All operations are called on the base URL of a client. */
function checkServers({ item, operation, servers }: Source, context: Context): void {
  for (const node of [item, operation]) {
    if (!('servers' in node) || urlsOf(node.servers) === servers) continue
    const fix = 'Use the servers of the document for all operations'
    context.unsupported(node, 'servers', 'an operation has its own servers', fix)
  }
}

function urlsOf(servers: unknown): string {
  return list(servers)
    .map((server) => String(object(server).url).replace(/\/$/, ''))
    .sort()
    .join(' ')
}

function docOfOperation(operation: Json): Doc {
  const doc = docOf(operation, typeof operation.summary === 'string' ? operation.summary : null)
  const marks = ['x-pagination', 'x-idempotency'].map((key) => assumedOf(object(operation[key])))
  const assumed = [doc.assumed, ...marks].filter((reason) => reason !== null)
  return { ...doc, assumed: assumed.length > 0 ? assumed.join(' ') : null }
}

function idempotencyOf(operation: Json, item: Json, context: Context): Idempotency | null {
  const node = operation['x-idempotency']
  if (!isObject(node)) return null
  const { header } = node as unknown as IdempotencyMark
  const parameter = [operation, item]
    .flatMap(({ parameters }) => list(parameters).map((one) => context.resolve(one)))
    .find((one) => one.in === 'header' && String(one.name).toLowerCase() === header.toLowerCase())
  return { header, doc: docOf(parameter ?? {}) }
}

/** Whether an idempotency key is assumed. An assumption must never make a client retry a change. */
function isAssumed(operation: Json, item: Json): boolean {
  const marked = [object(operation['x-idempotency']), operation, item]
  return marked.some((node) => assumedOf(node) !== null)
}

function bodyOf(
  operation: Json,
  at: Path,
  owner: Name,
  context: Context,
  schemas: Schemas,
): Body | null {
  if (!('requestBody' in operation)) return null
  const node = context.resolve(operation.requestBody)
  const chosen = chooseMedia(node.content, 'request', node, context)
  if (!chosen) return null
  const { contentType, format, media } = chosen
  const location = [...at, 'requestBody', 'content', contentType, 'schema']
  const bytes: TypeRef = { kind: 'primitive', type: format === 'text' ? 'string' : 'binary' }
  const isRaw = format === 'text' || format === 'binary'
  const type = isRaw ? bytes : schemas.use(media.schema, [...owner, 'Body'], location)
  checkForm({ format, type }, media, schemas.declarations, context)
  return {
    contentType,
    format,
    type,
    required: node.required === true,
    doc: docOf(node),
    examples: examplesOf(media, context),
  }
}

function declareParams(
  parameters: Parameters,
  owner: Name,
  resource: readonly Name[],
  method: Name,
  operation: Json,
  at: Path,
  schemas: Schemas,
): string | null {
  const all = [...parameters.query, ...parameters.header]
  if (all.length === 0) return null
  const name = [...owner, 'Params']
  const params: Model = {
    kind: 'model',
    id: pascal(name),
    name,
    doc: {
      text: `The parameters of \`${dotted(resource, method)}\`.`,
      assumed: null,
      deprecated: false,
    },
    pointer: `${pointerOf(at)}/parameters`,
    extends: [],
    extra: null,
    fields: all
      .map(({ wire, name, type, required, doc }) => ({
        wire,
        name,
        type,
        presence: required ? ('required' as const) : ('optional' as const),
        mayBeAbsent: !required,
        direction: 'both' as const,
        doc,
        pointer: `${pointerOf(at)}/parameters`,
      }))
      .sort((a, b) => Number(b.presence === 'required') - Number(a.presence === 'required')),
  }
  schemas.declarations.add(params, (list(operation.parameters)[0] as object) ?? operation)
  return params.id
}

/** The paths beneath which there are single things, like `/orders` of `/orders/{id}`. */
function collectionsOf(paths: readonly string[]): Set<string> {
  const items = paths.map(withoutExtension).filter((path) => path.endsWith('}'))
  return new Set(items.map((path) => path.slice(0, path.lastIndexOf('/'))))
}

function returnsList(operation: Json, context: Context): boolean {
  return sortedEntries(operation.responses).some(([status, response]) => {
    if (!status.startsWith('2')) return false
    return sortedEntries(context.resolve(response).content).some(
      ([, media]) => context.resolve(object(media).schema).type === 'array',
    )
  })
}

function checkCollision(
  operation: Operation,
  node: object,
  nodes: Map<string, object>,
  context: Context,
): void {
  const key = [...operation.resource, operation.method].map(fold).join('.')
  const other = nodes.get(key)
  if (!other) {
    nodes.set(key, node)
    return
  }
  const { file, line, column } = context.location(other)
  const name = dotted(operation.resource, operation.method)
  context.unsupported(
    node,
    undefined,
    `two operations would be named ${name}: this one and the one at ${file}:${line}:${column}`,
    'Name one of them with x-sdk-method, in the document or in an --overlay',
  )
}
