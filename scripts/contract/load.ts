import { resolve } from 'node:path'
import {
  BaseResolver,
  bundleDocument,
  type Config,
  type Document,
  getTypes,
  isAbsoluteUrl,
  lintDocument,
  type NormalizedProblem,
  ResolveError,
  type Source,
} from '@redocly/openapi-core'
import {
  attempt,
  Locations,
  type Problem,
  type Read,
  TextResolver,
  unreadable,
} from '../yaml/index.ts'
import { checkExtensions } from './extensions.ts'
import { isObject, type Json, keysOf } from './json.ts'
import { lintConfig, tolerated } from './lint.ts'
import { partAt } from './parts.ts'
import { ownRules } from './rules.ts'

/** An OpenAPI document that is whole: one tree whose references all lead into itself. */
export interface Contract {
  document: Json
  locations: Locations
  /** JSON pointers into the parts that are not as they should be. */
  broken: string[]
}

/** The result of reading a document. */
export interface Loaded {
  /** Null where the whole document is not as it should be. */
  contract: Contract | null
  problems: Problem[]
  /** All files that were read. */
  files: string[]
}

type Result = Omit<Loaded, 'files'>

export interface LoadOptions {
  /** OpenAPI Overlay documents, applied before anything else. */
  overlays?: readonly string[]
  /** Whether to hold the document to the rules of this repository's own contract. */
  strict?: boolean
  /** Reads files from elsewhere than the disk. */
  read?: Read
  /** How the file is to be called in messages; its path otherwise. */
  name?: string
}

/** Reads, bundles and lints a document. References to other files are resolved beside it. */
export async function loadContract(file: string, options: LoadOptions = {}): Promise<Loaded> {
  const resolver = options.read ? new TextResolver(options.read) : new FileResolver()
  const result = await load(file, options, resolver)
  const read = [...resolver.cache.keys()].filter((path) => !isAbsoluteUrl(path))
  return { ...result, files: [...new Set([resolve(file), ...read])] }
}

async function load(file: string, options: LoadOptions, resolver: BaseResolver): Promise<Result> {
  const name = options.name ?? file
  const config = await lintConfig(options.strict ?? false)
  const main = await attempt(() => resolver.resolveDocument<Json>(null, resolve(file), true))
  if (main instanceof Error) return failed([unreadable(name, main)])

  const locations = new Locations(main.source, name)
  locations.add(main.source, main.parsed)
  const version = isObject(main.parsed) ? main.parsed.openapi : undefined
  if (typeof version !== 'string' || !/^3\.[01]\.\d/.test(version)) {
    return failed([unknownVersion(locations, main.source, version)])
  }

  const bundled = await attempt(() => bundle(main, version, config, resolver, options))
  if (bundled instanceof Error) return failed([unreadable(name, bundled)])
  for (const read of await Promise.allSettled(resolver.cache.values())) {
    if (read.status === 'rejected' || read.value instanceof Error || read.value === main) continue
    locations.add(read.value.source, read.value.parsed)
  }
  // Last, so that parts of other files are in place.
  const document = bundled.document
  locations.add(main.source, document)

  const linted = await lintDocument({
    document: { source: main.source, parsed: document },
    config,
    externalRefResolver: resolver,
  })
  const strict = options.strict ?? false
  const found = [
    ...bundled.problems
      .filter(({ ignored }) => !ignored)
      .map((problem) => explain(problem, { locations, main: main.source, strict })),
    // The bundler reports a reference that leads nowhere.
    ...linted
      .filter((problem) => problem.ruleId !== 'no-unresolved-refs' && !tolerated(problem))
      .map((problem) => explain(problem, { locations, main: main.source, strict, document })),
  ]
  const problems = [
    ...found.map(({ problem }) => problem),
    ...checkExtensions(document, locations, strict),
    ...(strict ? ownRules(document, locations) : []),
  ]
  if (problems.some(({ severity }) => severity === 'error')) return failed(problems)
  const broken = found.flatMap(({ problem, pointer }) =>
    problem.severity === 'unsupported' ? [pointer] : [],
  )
  return { contract: { document, locations, broken }, problems }
}

/** Puts the parts of other files and of overlays in place. Most documents are whole already. */
async function bundle(
  main: Document<Json>,
  version: string,
  config: Config,
  resolver: BaseResolver,
  { overlays = [] }: LoadOptions,
): Promise<{ document: Json; problems: NormalizedProblem[] }> {
  if (overlays.length === 0 && isWhole(main.parsed)) return { document: main.parsed, problems: [] }
  const bundled = await bundleDocument({
    document: main,
    config,
    types: getTypes(version.startsWith('3.0') ? 'oas3_0' : 'oas3_1'),
    externalRefResolver: resolver,
    componentRenamingConflicts: 'error',
    overlays: overlays.map((overlay) => resolve(overlay)),
  })
  return { document: bundled.bundle.parsed as Json, problems: bundled.problems }
}

/** Whether all references lead to something in the document itself. */
function isWhole(document: Json): boolean {
  const known = new Set<string>()
  const pending: unknown[] = [document]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const ref = (node as Json).$ref
    if (typeof ref === 'string' && !known.has(ref)) {
      if (!ref.startsWith('#/') || !leads(ref, document)) return false
      known.add(ref)
    }
    pending.push(...Object.values(node))
  }
  return true
}

function leads(ref: string, document: Json): boolean {
  const keys = keysOf(ref)
  const target = keys.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? (node as Json)[key] : undefined),
    document,
  )
  return target !== undefined
}

/** Reads files and refuses everything else, so that generating never depends on a network. */
class FileResolver extends BaseResolver {
  override async loadExternalRef(absoluteRef: string): Promise<Source> {
    if (isAbsoluteUrl(absoluteRef)) {
      throw new ResolveError(new Error('it is a URL'))
    }
    return super.loadExternalRef(absoluteRef)
  }
}

function failed(problems: Problem[]): Result {
  return { contract: null, problems }
}

function unknownVersion(locations: Locations, source: Source, version: unknown): Problem {
  const found = version === undefined ? 'is missing' : `is ${JSON.stringify(version)}`
  return {
    severity: 'error',
    location: locations.at(source, '#/openapi'),
    message: `"openapi" ${found}, but must be 3.0 or 3.1`,
    fix: 'Convert the document to OpenAPI 3.1',
  }
}

interface Reading {
  locations: Locations
  main: Source
  strict: boolean
  /** The bundled tree, where the pointers of problems lead into it. */
  document?: Json
}

function explain(
  found: NormalizedProblem,
  reading: Reading,
): { problem: Problem; pointer: string } {
  const { locations, main, document } = reading
  const where = found.location[0]
  const pointer = where?.pointer ?? '#/'
  const message = (found.message.split('\n')[0] ?? '').replace(/ '[^']*\/([^/']+)'/, " '$1'")
  const location = document
    ? locations.find(document, pointer)
    : where
      ? locations.at(where.source, pointer)
      : locations.of(found)
  const isUrl = message.includes('it is a URL')
  const fix = isUrl
    ? 'Save its target as a file beside the document and refer to that file'
    : found.suggest.length > 0
      ? `Did you mean ${found.suggest.map((name) => `"${name}"`).join(' or ')}?`
      : (FIXES[found.ruleId] ??
        `Correct it, in the document or with --overlay (rule ${found.ruleId})`)
  const known = document || where?.source === main ? pointer : ''
  const problem: Problem = {
    severity: severityOf(found, known, reading.strict),
    location,
    message: isUrl ? 'a $ref points to a URL, and only files are read' : message,
    fix,
  }
  return { problem, pointer: known }
}

/** @param pointer Into the whole document; empty where that is not known. */
function severityOf(
  { ruleId, message }: NormalizedProblem,
  pointer: string,
  strict: boolean,
): Problem['severity'] {
  if (!strict && ruleId === 'struct' && message.includes(' is not expected here')) return 'note'
  return partAt(pointer) ? 'unsupported' : 'error'
}

const FIXES: Readonly<Record<string, string>> = {
  bundler: 'Point the $ref at something that exists, or add its target to components',
}
