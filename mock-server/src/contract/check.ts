/**
 * Checks a contract: whether it keeps to OpenAPI, and whether its examples match its schemas. What is
 * wrong refuses a strict start, and is a warning otherwise.
 */
import { isAbsolute, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  BaseResolver,
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  isAbsoluteUrl,
  type LocationObject,
  lint,
  type NormalizedProblem,
  ResolveError,
  type Source,
  stringifyYaml,
} from '@redocly/openapi-core'
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { joinExamples } from './examples.ts'
import { type Contract, loadContract, type Operation } from './load.ts'
import { judged } from './made.ts'
import { type Choice, statusOf } from './respond.ts'

/** A contract that cannot be served. The message has a line for each problem. */
export class ContractError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ContractError'
    this.problems = problems
  }
}

// An open schema allows further properties, in examples too.
const EXAMPLES = { severity: 'error', allowAdditionalProperties: true } as const
const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-params-defined': 'error',
  'path-declaration-must-exist': 'error',
  'security-defined': 'error',
  'no-invalid-media-type-examples': EXAMPLES,
  'no-invalid-parameter-examples': EXAMPLES,
  'no-invalid-schema-examples': EXAMPLES,
} as const

const CURES: Record<string, string> = {
  'no-unresolved-refs':
    'Correct the reference. It may point into this file or into another local file.',
  'path-params-defined': 'Declare every {parameter} of the path, and no other.',
  'security-defined': 'Define the scheme under components/securitySchemes.',
  'no-invalid-media-type-examples': 'Correct the example or its schema.',
  'no-invalid-parameter-examples': 'Correct the example or its schema.',
  'no-invalid-schema-examples': 'Correct the example or its schema.',
}

/** Resolves references to files, but not to URLs: the mock must not depend on another machine. */
class LocalResolver extends BaseResolver {
  readonly #onRead: (file: string) => void

  constructor(onRead: (file: string) => void) {
    super()
    this.#onRead = onRead
  }

  override async loadExternalRef(absoluteRef: string): Promise<Source> {
    if (isAbsoluteUrl(absoluteRef)) {
      throw new ResolveError(
        new Error('References to URLs are not followed. Save a copy beside the document.'),
      )
    }
    this.#onRead(absoluteRef)
    return super.loadExternalRef(absoluteRef)
  }
}

/** How to load a document. */
export interface Loading {
  /** Is called with the path of each file, just before it is read. */
  onRead?: (file: string) => void
  /** Refuses a document with any problem. @default true */
  isStrict?: boolean
}

/**
 * Loads a document and checks it: before it returns if it is strict, otherwise when the contract is asked
 * for its problems.
 *
 * @throws {ContractError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem.
 */
export async function loadCheckedContract(
  file: string,
  { onRead = () => {}, isStrict = true }: Loading = {},
): Promise<Contract> {
  const resolver = new LocalResolver(onRead)
  const source = await read(resolver, file)
  const config = await createConfig({ rules: RULES })
  const breaches = async () => {
    const found = await lint({ ref: file, config, externalRefResolver: resolver })
    return found.filter(isProblem).map(lineOf)
  }
  if (isStrict) refuse(await breaches())

  const bundled = await bundle({ ref: file, config, externalRefResolver: resolver })
  refuse(bundled.problems.filter(({ severity }) => severity === 'error').map(lineOf))
  const document = bundled.bundle.parsed as Record<string, unknown>
  const text = bundled.fileDependencies.size > 0 ? stringifyYaml(document) : source.body
  const unusable = (error: unknown) => {
    throw new ContractError([
      `${shown(file)}:1:1: ${sentence(messageOf(error))} Correct the document.`,
    ])
  }
  const contract = await Promise.resolve()
    .then(() => loadContract(current(document), text))
    .catch(unusable)
  if (isStrict) {
    refuse(await misfits(contract, source))
    return contract
  }
  return {
    ...contract,
    problems: async () => [
      ...new Set([...(await breaches()), ...(await misfits(contract, source))]),
    ],
  }
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new ContractError([...new Set(problems)])
}

/** A scheme that is used must be defined, but an operation may be public. */
function isProblem({ message }: NormalizedProblem): boolean {
  return !message.startsWith('Every operation should have')
}

function lineOf({ location: [location], message, ruleId }: NormalizedProblem): string {
  const cure = CURES[ruleId] ?? 'Correct it as the OpenAPI specification requires.'
  return `${locationOf(location)}: ${sentence(message)} ${cure}`
}

/** The document as OpenAPI 3.1, since schemas of older ones are not JSON Schemas. */
function current(document: Record<string, unknown>): Record<string, unknown> {
  const second = document.swagger === undefined ? document : upgradeFromTwoToThree(document)
  return String(second.openapi).startsWith('3.0.')
    ? upgradeFromThreeToThreeOne(joinExamples(second))
    : second
}

/** What the operations cannot respond as the contract says. Lets requests pass between operations. */
async function misfits({ operations }: Contract, source: Source): Promise<string[]> {
  const found: string[] = []
  for (const operation of operations) {
    found.push(...checkSchemas(operation, source), ...(await checkResponses(operation, source)))
    await setImmediate()
  }
  return found
}

/** The fields that name the version of OpenAPI. */
interface Versioned {
  openapi?: unknown
  swagger?: unknown
}

async function read(resolver: BaseResolver, file: string): Promise<Source> {
  try {
    const document = await resolver.resolveDocument(null, file, true)
    if (document instanceof Error) throw document
    const { parsed, source } = document as Document<Versioned | null>
    if (!/^(?:2\.0|3\.[01]\..*)$/.test(String(parsed?.swagger ?? parsed?.openapi))) {
      const cure = 'Start it with `openapi: 3.1.0` or another 3.0 or 3.1 version.'
      throw new ContractError([
        `${shown(file)}:1:1: This is not an OpenAPI 2.0, 3.0 or 3.1 document. ${cure}`,
      ])
    }
    return source
  } catch (error) {
    if (error instanceof ContractError) throw error
    const { line = 1, col = 1 } = error as { line?: number; col?: number }
    const location = `${shown(file)}:${line}:${col}`
    throw new ContractError([
      `${location}: ${sentence(messageOf(error))} Name a readable YAML or JSON file.`,
    ])
  }
}

/** Compiles every schema, since Prism accepts any value if it cannot compile one. */
function checkSchemas({ prism }: Operation, source: Source): string[] {
  const { body, query = [], headers = [], path = [] } = prism.request ?? {}
  const responses = prism.responses.flatMap(({ contents = [] }) => contents)
  const bundled = (prism as { __bundled__?: object }).__bundled__
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })
  return [...(body?.contents ?? []), ...query, ...headers, ...path, ...responses].flatMap(
    (part) => {
      try {
        const { $schema: _, ...schema } = part.schema ?? {}
        ajv.compile({ ...schema, __bundled__: bundled })
        return []
      } catch (error) {
        const name = 'name' in part ? `the parameter ${part.name}` : part.mediaType
        const what = `The schema of ${name} is invalid: ${sentence(messageOf(error))}`
        return [`${locationIn(source, prism)}: ${what} Correct it as JSON Schema 2020-12 requires.`]
      }
    },
  )
}

/** Makes every response that the operation declares, and validates it against its own schema. */
async function checkResponses(operation: Operation, source: Source): Promise<string[]> {
  const { prism } = operation
  const problems: string[] = []
  for (const choice of choicesOf(operation)) {
    const found = await judged(operation, choice)
    const fault = typeof found === 'string' ? found : found.misfits[0]?.message
    if (!fault) continue
    const { example, response } = choice
    const what = example ? `the example \`${example}\`` : 'the response made from the schema'
    const where = `In ${prism.method.toUpperCase()} ${prism.path}, status ${response.code}`
    const cure = example ? 'Correct the example or its schema.' : 'Add a matching example.'
    const location = locationIn(source, prism, 'responses', response.code)
    problems.push(
      `${location}: ${where}, ${what} does not match the contract: ${sentence(fault)} ${cure}`,
    )
  }
  return problems
}

/** Every response that an operation declares. */
function choicesOf({ prism }: Operation): Choice[] {
  return prism.responses.flatMap((response) => {
    const contents = response.contents?.length ? response.contents : [undefined]
    return contents.flatMap((content) => {
      const keys = content?.examples?.length ? content.examples.map(({ key }) => key) : [undefined]
      const mediaType = content?.mediaType
      return keys.map((example) => ({ response, status: statusOf(response), mediaType, example }))
    })
  })
}

function locationOf(location: LocationObject | undefined): string {
  if (!location) return 'contract'
  const { source, start } = getLineColLocation(location)
  return `${shown(source.absoluteRef)}:${start.line}:${start.col}`
}

/** The location of a part of an operation. */
function locationIn(
  source: Source,
  { path, method }: Operation['prism'],
  ...inside: string[]
): string {
  const steps = ['paths', path, method, ...inside]
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return locationOf({ source, pointer: `#${pointer.join('')}`, reportOnKey: true })
}

/** A path relative to the working folder, where that is shorter. */
function shown(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

function sentence(text: string): string {
  return text.trim().replace(/\.?$/, '.')
}
