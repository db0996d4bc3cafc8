import { readFile } from 'node:fs/promises'
import type { SecurityRequirement } from '../door/auth.ts'
import { Description, type Json } from './document.ts'
import type { PrismOperation } from './prism.ts'
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
}

const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Makes an OpenAPI document ready to be served.
 *
 * @param document The document, or the path of the file that it is in.
 * @param text What to hand out as the document.
 */
export async function loadContract(document: string | object, text: string): Promise<Contract> {
  const { getHttpOperationsFromSpec } = await import('./prism.ts')
  // Prism resolves references in place.
  const own = typeof document === 'string' ? document : structuredClone(document)
  const operations = await getHttpOperationsFromSpec(own)
  return {
    text,
    operations: operations.flatMap(toOperations),
    description: new Description(await parsed(document)),
    proven: new Set(),
  }
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

function toOperations(prism: PrismOperation): Operation[] {
  // Prism would call the addresses that a request names as callbacks, even for a refused request.
  delete prism.callbacks
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
  }
  return basePaths(prism).map((basePath) => ({
    ...operation,
    basePath,
    path: basePath + encoded(prism.path),
  }))
}

/** A path template as it stands in a URL. */
function encoded(template: string): string {
  return template.replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/%{}]/giu, encodeURIComponent)
}

function basePaths({ servers = [] }: PrismOperation): string[] {
  const paths = servers.map(({ url, variables = {} }) => {
    const filled = url.replace(/\{([^}]+)\}/g, (_, name) => variables[name]?.default ?? '')
    return URL.canParse(filled, 'http://localhost')
      ? new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '')
      : ''
  })
  return paths.length > 0 ? [...new Set(paths)] : ['']
}
