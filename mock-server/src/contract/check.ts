/**
 * Checks a contract before it is served. A document that is invalid, or whose examples violate its own
 * schemas, is refused at the start instead of misleading every call.
 */
import { isAbsolute, relative } from 'node:path'
import {
  BaseResolver,
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  isAbsoluteUrl,
  type LocationObject,
  lint,
  ResolveError,
  type Source,
  stringifyYaml,
} from '@redocly/openapi-core'
import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isSendable } from '../door/listener.ts'
import type { HttpResponse } from '../door/message.ts'
import { type Contract, loadContract, type Operation } from './load.ts'
import { validateResponse } from './prism.ts'
import { type Choice, make, narrow, statusOf } from './respond.ts'

/** A contract that cannot be served. The message has a line for each problem. */
export class ContractError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'ContractError'
    this.problems = problems
  }
}

const RULES = {
  struct: 'error',
  'no-unresolved-refs': 'error',
  'no-identical-paths': 'error',
  'path-params-defined': 'error',
  'path-declaration-must-exist': 'error',
  'security-defined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
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

/**
 * Checks a document and loads it.
 *
 * @param onRead Is called with the path of each file, just before it is read.
 * @throws {ContractError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem.
 */
export async function loadCheckedContract(
  file: string,
  onRead: (file: string) => void = () => {},
): Promise<Contract> {
  const resolver = new LocalResolver(onRead)
  const source = await read(resolver, file)
  const config = await createConfig({ rules: RULES })
  const found = await lint({ ref: file, config, externalRefResolver: resolver })
  // A scheme that is used must be defined, but an operation may be public.
  const problems = found.filter(({ message }) => !message.startsWith('Every operation should have'))
  if (problems.length > 0) {
    throw new ContractError(
      problems.map(({ location: [location], message, ruleId }) => {
        const cure = CURES[ruleId] ?? 'Correct it as the OpenAPI specification requires.'
        return `${locationOf(location)}: ${sentence(message)} ${cure}`
      }),
    )
  }

  const bundled = await bundle({ ref: file, config, externalRefResolver: resolver })
  const document = bundled.bundle.parsed as Record<string, unknown>
  const text = bundled.fileDependencies.size > 0 ? stringifyYaml(document) : source.body
  // Schemas of 3.0 are not JSON Schemas. Prism translates them, except recursive ones.
  const isOld = String(document.openapi).startsWith('3.0.')
  const current = isOld ? upgradeFromThreeToThreeOne(document) : document
  const contract = await loadContract(current, text).catch((error: unknown) => {
    throw new ContractError([
      `${shown(file)}:1:1: ${sentence(messageOf(error))} Correct the document.`,
    ])
  })
  const misfits = contract.operations.map(async (operation) => [
    ...checkSchemas(operation, source),
    ...(await checkResponses(operation, source)),
  ])
  const all = (await Promise.all(misfits)).flat()
  if (all.length > 0) throw new ContractError([...new Set(all)])
  return contract
}

async function read(resolver: BaseResolver, file: string): Promise<Source> {
  try {
    const document = await resolver.resolveDocument(null, file, true)
    if (document instanceof Error) throw document
    const { parsed, source } = document as Document<{ openapi?: unknown } | null>
    if (!/^3\.[01]\./.test(String(parsed?.openapi))) {
      const cure = 'Start it with `openapi: 3.1.0` or another 3.0 or 3.1 version.'
      throw new ContractError([
        `${shown(file)}:1:1: This is not an OpenAPI 3.0 or 3.1 document. ${cure}`,
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
    const fault = await faultOf(operation, choice)
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

async function faultOf(operation: Operation, choice: Choice): Promise<string | undefined> {
  let response: HttpResponse
  try {
    response = await make(operation, choice)
  } catch (error) {
    return messageOf(error)
  }
  const { status, headers, body } = response
  const unsendable = Object.keys(headers).find((name) => !isSendable(name, headers[name] ?? ''))
  if (unsendable) return `the header ${unsendable} has a character that is not allowed in a header`
  const isText = !/json/.test(headers['content-type'] ?? '')
  const value = typeof body === 'string' && !isText ? JSON.parse(body) : body
  const [diagnostic] = validateResponse(narrow(operation, choice), {
    statusCode: status,
    headers,
    body: value,
  })
  return diagnostic?.message
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
