/** Reads an OpenAPI document with everything that it refers to in other files. */
import { isAbsolute, relative } from 'node:path'
import {
  BaseResolver,
  bundle,
  type Document,
  getLineColLocation,
  isAbsoluteUrl,
  type LocationObject,
  type NormalizedProblem,
  ResolveError,
  Source,
  stringifyYaml,
} from '@redocly/openapi-core'
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { LineCounter, parseDocument } from 'yaml'
import { type Json, object } from './document.ts'
import { joinExamples } from './examples.ts'
import { markLost } from './references.ts'
import { fetchDocument, isRemote, shownUrl } from './remote.ts'

/** A contract that cannot be served. The message has a line for each problem. */
export class ContractError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ContractError'
    this.problems = problems
  }
}

/**
 * Resolves references of a document: those of a file to other files, and those of a fetched one to its own
 * origin. A file must not depend on another machine, nor a fetched one on this one.
 */
export class DocumentResolver extends BaseResolver {
  readonly #file: string
  readonly #onRead: (file: string) => void

  constructor(file: string, onRead: (file: string) => void = () => {}) {
    super()
    this.#file = file
    this.#onRead = onRead
  }

  override async loadExternalRef(absoluteRef: string): Promise<Source> {
    const isFetched = isRemote(this.#file)
    if (isFetched && isRemote(absoluteRef)) {
      const origin = absoluteRef === this.#file ? undefined : new URL(this.#file).origin
      try {
        return new Source(absoluteRef, await fetchDocument(absoluteRef, origin))
      } catch (error) {
        throw new ResolveError(error as Error)
      }
    }
    if (isFetched || isAbsoluteUrl(absoluteRef)) {
      throw new ResolveError(
        new Error('References to URLs are not followed. Save a copy beside the document.'),
      )
    }
    this.#onRead(absoluteRef)
    return super.loadExternalRef(absoluteRef)
  }
}

/** The configuration of Redocly. */
type Config = Parameters<typeof bundle>[0]['config']

export interface Read {
  /** The whole document, which refers to nothing outside itself. */
  document: Json
  /** What to hand out as the document. */
  text: string
  source: Source
  /** What could not be read, a line each. */
  problems: string[]
}

/** @throws {ContractError} for a file that is not an OpenAPI document */
export async function readDocument(
  file: string,
  resolver: BaseResolver,
  config: Config,
): Promise<Read> {
  const { source, parsed, problem } = await parse(resolver, file)
  const version = versionOf(parsed)
  if (version === undefined) {
    const cure = 'Start it with `openapi: 3.1.0` or another 3.0 or 3.1 version.'
    throw new ContractError([
      `${shown(file)}:1:1: This is not an OpenAPI 2.0, 3.0 or 3.1 document. ${cure}`,
    ])
  }
  const found = problem === undefined ? [] : [problem]
  const whole: Json = { ...parsed, ...version }
  if (!refersOutside(whole)) {
    return { document: whole, text: source.body, source, problems: found }
  }
  // References that lead nowhere keep the others from being followed.
  const own = structuredClone(whole)
  markLost(own, false)
  const doc = { source, parsed: own } as Document
  try {
    const { bundle: made, problems } = await bundle({ doc, config, externalRefResolver: resolver })
    const errors = problems.filter(({ severity }) => severity === 'error').map(lineOf)
    const document = made.parsed as Json
    return { document, text: stringifyYaml(document), source, problems: [...found, ...errors] }
  } catch (error) {
    const line = `${shown(file)}:1:1: ${sentence(messageOf(error))} Correct the files that it refers to.`
    return { document: whole, text: source.body, source, problems: [...found, line] }
  }
}

/** The document as OpenAPI 3.1, since schemas of older ones are not JSON Schemas. */
export function current(document: Json): Json {
  const second = document.swagger === undefined ? document : upgradeFromTwoToThree(document)
  return String(second.openapi).startsWith('3.0.')
    ? upgradeFromThreeToThreeOne(joinExamples(second))
    : second
}

/** The version as it should be written; undefined if it is none that can be served. */
function versionOf({ openapi, swagger }: Json): Json | undefined {
  if (/^2(?:\.0)?$/.test(String(swagger))) return { swagger: '2.0' }
  if (/^3\.[01]\./.test(String(openapi))) return { openapi }
  // Some are written as numbers.
  const [is3, minor = '0'] = /^3(?:\.(\d+))?\b/.exec(String(openapi)) ?? []
  return is3 === undefined ? undefined : { openapi: minor === '0' ? '3.0.4' : '3.1.0' }
}

interface Parsed {
  source: Source
  parsed: Json
  /** Why only a part of it could be read. */
  problem?: string
}

/** @throws {ContractError} */
async function parse(resolver: BaseResolver, file: string): Promise<Parsed> {
  try {
    const document = await resolver.resolveDocument(null, file, true)
    if (document instanceof Error) throw document
    const { parsed, source } = document as Document<Json | null>
    return { parsed: object(parsed), source }
  } catch (error) {
    const { line = 1, col = 1 } = error as { line?: number; col?: number }
    const location = `${shown(file)}:${line}:${col}`
    const problem = `${location}: ${sentence(messageOf(error))} ${isRemote(file) ? 'Name another URL, or a file.' : 'Name a readable YAML or JSON file.'}`
    const rest = await readable(resolver, file)
    if (rest) return { ...rest, problem }
    throw new ContractError([problem])
  }
}

/** What a parser that goes on after errors reads of a file; undefined if that is no document. */
async function readable(resolver: BaseResolver, file: string): Promise<Parsed | undefined> {
  try {
    const source = await resolver.loadExternalRef(file)
    const options = { strict: false, uniqueKeys: false, lineCounter: new LineCounter() }
    const parsed = object(parseDocument(source.body, options).toJS())
    return Object.keys(object(parsed.paths)).length > 0 ? { source, parsed } : undefined
  } catch {
    return undefined
  }
}

/** Whether a document refers to another. */
function refersOutside(document: Json): boolean {
  let isFound = false
  JSON.stringify(document, (key, value) => {
    if (key === '$ref' && typeof value === 'string' && !value.startsWith('#')) isFound = true
    return isFound ? undefined : value
  })
  return isFound
}

const CURES: Record<string, string> = {
  'no-unresolved-refs':
    'Correct the reference. It may point into this file or into another local file.',
  'path-params-defined': 'Declare every {parameter} of the path, and no other.',
  'security-defined': 'Define the scheme under components/securitySchemes.',
  'no-invalid-media-type-examples': 'Correct the example or its schema.',
  'no-invalid-parameter-examples': 'Correct the example or its schema.',
  'no-invalid-schema-examples': 'Correct the example or its schema.',
}

/** A problem that Redocly found, as a line. */
export function lineOf({ location: [location], message, ruleId }: NormalizedProblem): string {
  const cure = CURES[ruleId] ?? 'Correct it as the OpenAPI specification requires.'
  return `${locationOf(location)}: ${sentence(message)} ${cure}`
}

export function locationOf(location: LocationObject | undefined): string {
  if (!location) return 'contract'
  const { source, start } = getLineColLocation(location)
  return `${shown(source.absoluteRef)}:${start.line}:${start.col}`
}

/** A path relative to the working folder, where that is shorter; a URL without its query. */
export function shown(file: string): string {
  if (isRemote(file)) return shownUrl(file)
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

export function sentence(text: string): string {
  return text.trim().replace(/\.?$/, '.')
}
