import { readFile } from 'node:fs/promises'
import type { SecurityRequirement } from '../door/auth.ts'
import { Description, type Json, METHODS, object } from './document.ts'
import type { PrismOperation } from './prism.ts'
import { type Lost, markLost } from './references.ts'
import { tellApart } from './unions.ts'

/** A contract to serve. */
export interface Contract {
  /** The document itself. */
  text: string
  operations: Operation[]
  description: Description
  /** The names of the forms that leave everything that the sandbox makes as it is. */
  proven: ReadonlySet<string>
  /** Finds what is wrong with the document, a line each; undefined if it has been checked. */
  problems?: () => Promise<string[]>
}

/** A contract in the form in which the build keeps it. */
export interface Prepared {
  document: Json
  operations: Operation[]
  proven: string[]
}

/** One operation of the contract. */
export interface Operation {
  method: string
  /** The path template, with the base path of the contract's `servers`. */
  path: string
  /** The base path alone; empty if there is none. */
  basePath: string
  security: SecurityRequirement
  /** The media types of its request body; none if it accepts no body. */
  mediaTypes: string[]
  prism: PrismOperation
  /** Why it cannot be served; undefined if it can. */
  unserved?: string | undefined
  /** Whether requests may have query parameters that it does not declare. @default false */
  ignoresUnknown?: boolean
  /** Why responses cannot be made, by their codes. */
  lost?: Readonly<Record<string, string>>
}

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Makes an OpenAPI document ready to be served.
 *
 * @param document The document, or the path of the file that it is in.
 * @param text What to hand out as the document.
 */
export async function loadContract(document: string | object, text: string): Promise<Contract> {
  const whole = await parsed(document)
  const lost = markLost(whole)
  const operations = await operationsOf(typeof document === 'string' ? document : whole)
  return {
    text,
    operations: operations.flatMap((operation) => toOperations(operation, lost)),
    description: new Description(whole),
    proven: new Set(),
  }
}

/** An operation, or why it cannot be read. */
interface Found {
  prism: PrismOperation
  unserved?: string
}

/** Reads the operations of a document: of its halves where one of them fails, down to the one that does. */
async function operationsOf(document: string | Json): Promise<Found[]> {
  const { getHttpOperationsFromSpec } = await import('./prism.ts')
  try {
    // Prism resolves references in place.
    const own = typeof document === 'string' ? document : structuredClone(document)
    return (await getHttpOperationsFromSpec(own)).map((prism) => ({ prism }))
  } catch (error) {
    if (typeof document === 'string') throw error
    const all = Object.entries(object(document.paths)).flatMap(([path, item]) =>
      METHODS.filter((method) => method in object(item)).map((method) => ({ path, method })),
    )
    const [only] = all
    if (only === undefined) throw error
    if (all.length === 1)
      return [
        {
          prism: emptyOperation(only),
          unserved: error instanceof Error ? error.message : String(error),
        },
      ]
    const middle = Math.ceil(all.length / 2)
    const halves = [all.slice(0, middle), all.slice(middle)].map((half) => without(document, half))
    return (await Promise.all(halves.map(operationsOf))).flat()
  }
}

/** A document with some of its operations only. */
function without(document: Json, kept: readonly { path: string; method: string }[]): Json {
  const paths: Record<string, Json> = {}
  for (const { path, method } of kept) {
    const item = object(object(document.paths)[path])
    const others = Object.entries(item).filter(([name]) => !METHODS.includes(name))
    paths[path] = { ...Object.fromEntries(others), ...paths[path], [method]: item[method] }
  }
  return { ...document, paths }
}

function emptyOperation({ path, method }: { path: string; method: string }): PrismOperation {
  return { id: `${method} ${path}`, method, path, responses: [] } as unknown as PrismOperation
}

async function parsed(document: string | object): Promise<Json> {
  if (typeof document === 'object') return document as Json
  const { parseYaml } = await import('@redocly/openapi-core')
  return parseYaml(await readFile(document, 'utf8')) as Json
}

/** Reads a prepared contract. @param text What to hand out as the document. */
export async function readPrepared(file: URL, text: string): Promise<Contract> {
  const { document, operations, proven }: Prepared = JSON.parse(await readFile(file, 'utf8'))
  return { text, operations, description: new Description(document), proven: new Set(proven) }
}

/** Reads prepared operations, without Prism and in a hundredth of the time. */
export async function readOperations(file: URL): Promise<Operation[]> {
  return JSON.parse(await readFile(file, 'utf8'))
}

function toOperations({ prism, unserved }: Found, lost: Lost | undefined): Operation[] {
  // Prism would call the addresses that a request names as callbacks, even for a refused request.
  delete prism.callbacks
  // A parameter of these names is no parameter (OpenAPI 3.1 §4.8.12.2).
  const { request } = prism
  if (request?.headers) {
    request.headers = request.headers.filter(({ name }) => !RESERVED.has(name.toLowerCase()))
  }
  // Without a dialect, Prism assumes draft 7 and ignores what OpenAPI 3.1 adds to it.
  const bodies = prism.request?.body?.contents ?? []
  const responses = prism.responses.flatMap(({ contents = [] }) => contents)
  for (const { schema } of [...bodies, ...responses]) {
    if (schema) Object.assign(schema, { $schema: JSON_SCHEMA })
  }
  // A copy, since responses may share the schema.
  for (const body of bodies) body.schema = tellApart(structuredClone(body.schema))

  const operation = {
    method: prism.method.toUpperCase(),
    security: (prism.security ?? []) as SecurityRequirement,
    mediaTypes: bodies.map(({ mediaType }) => mediaType),
    prism,
    ...reasonsOf(prism, unserved, lost),
  }
  return basePaths(prism).map((basePath) => ({
    ...operation,
    basePath,
    path: basePath + encoded(prism.path),
  }))
}

const RESERVED: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization'])

/** A path template as it stands in a URL. */
function encoded(template: string): string {
  return template.replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?#%{}]/giu, encodeURIComponent)
}

/** Why an operation or some of its responses cannot be served. */
function reasonsOf(
  { path, method, responses }: PrismOperation,
  unread: string | undefined,
  lost: Lost | undefined,
): Pick<Operation, 'unserved' | 'lost'> {
  const bare = responses.length > 0 ? undefined : 'it declares no response'
  const unserved = unread ?? lost?.ofRequest(path, method) ?? bare
  return {
    ...(unserved !== undefined && { unserved }),
    ...(lost && { lost: lost.ofResponses(path, method) }),
  }
}

function basePaths({ servers = [] }: PrismOperation): string[] {
  const paths = servers.map(({ url, variables = {} }) => {
    const filled = String(url ?? '').replace(
      /\{([^}]+)\}/g,
      (_, name) => variables[name]?.default ?? '',
    )
    return URL.canParse(filled, 'http://localhost')
      ? new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '')
      : ''
  })
  return paths.length > 0 ? [...new Set(paths)] : ['']
}
