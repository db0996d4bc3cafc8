/**
 * Checks a contract: whether it keeps to OpenAPI, and whether its examples match its schemas. What is
 * wrong refuses a strict start, and is a warning otherwise.
 */
import { setImmediate } from 'node:timers/promises'
import { createConfig, lint, type NormalizedProblem, type Source } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Contract, loadContract, type Operation } from './load.ts'
import { judged } from './made.ts'
import {
  ContractError,
  current,
  DocumentResolver,
  lineOf,
  locationOf,
  messageOf,
  type Read,
  readDocument,
  sentence,
  shown,
} from './read.ts'
import { type Choice, statusOf } from './respond.ts'

export { ContractError } from './read.ts'

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

const config = await createConfig({ rules: RULES })

/** How to load a document. */
export interface Loading {
  /** Is called with the path of each file, just before it is read. */
  onRead?: (file: string) => void
  /** Refuses a document with any problem. @default true */
  isStrict?: boolean
  /** Refuses a document of which a part cannot be served, as in the middle of an edit. @default false */
  isWhole?: boolean
}

/**
 * Loads a document. A strict one is checked before it is returned; any other is served as far as it can be.
 *
 * @throws {ContractError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem.
 */
export async function loadCheckedContract(
  file: string,
  { onRead = () => {}, isStrict = true, isWhole = false }: Loading = {},
): Promise<Contract> {
  const resolver = new DocumentResolver(file, onRead)
  const read = await readDocument(file, resolver, config)
  if (!isStrict) {
    const contract = open(await served(file, read))
    if (isWhole && !isWholly(contract)) refuse(await unresolved(file, resolver))
    if (isWhole) refuse(read.problems)
    return contract
  }
  refuse(await breaches(file, resolver).catch(() => read.problems))
  refuse(read.problems)
  const contract = await served(file, read)
  refuse(await misfits(contract, read.source))
  return contract
}

/** What is wrong with a document that is served nevertheless, a line each. */
export async function problemsOf(file: string): Promise<string[]> {
  const resolver = new DocumentResolver(file)
  const read = await readDocument(file, resolver, config)
  // What cannot be read as it should be cannot be linted.
  const found = await breaches(file, resolver).catch(() => [])
  const others = await misfits(await served(file, read), read.source)
  return [...new Set([...read.problems, ...found, ...others])]
}

/** The contract with operations that ignore unknown query parameters, as Prism does. */
function open({ operations, ...contract }: Contract): Contract {
  return {
    ...contract,
    operations: operations.map((operation) => ({ ...operation, ignoresUnknown: true })),
  }
}

/** Whether every operation of a contract can be served. */
export function isWholly({ operations }: Contract): boolean {
  return operations.every(({ unserved, lost }) => unserved === undefined && !lost)
}

async function breaches(file: string, resolver: DocumentResolver): Promise<string[]> {
  const found = await lint({ ref: file, config, externalRefResolver: resolver })
  return found.filter(isProblem).map(lineOf)
}

async function unresolved(file: string, resolver: DocumentResolver): Promise<string[]> {
  const config = await createConfig({ rules: { 'no-unresolved-refs': 'error' } })
  return (await lint({ ref: file, config, externalRefResolver: resolver })).map(lineOf)
}

/** The contract as far as it can be served. */
async function served(file: string, { document, text }: Read): Promise<Contract> {
  try {
    return await loadContract(current(structuredClone(document)), text)
  } catch (error) {
    throw new ContractError([
      `${shown(file)}:1:1: ${sentence(messageOf(error))} Correct the document.`,
    ])
  }
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new ContractError([...new Set(problems)])
}

/** A scheme that is used must be defined, but an operation may be public. */
function isProblem({ message }: NormalizedProblem): boolean {
  return !message.startsWith('Every operation should have')
}

/** What the operations cannot respond as the contract says. Lets requests pass between operations. */
async function misfits({ operations }: Contract, source: Source): Promise<string[]> {
  const found: string[] = []
  for (const operation of operations) {
    const { method, unserved, prism } = operation
    if (unserved !== undefined) {
      const what = `${method} ${prism.path} responds with status 501: ${sentence(unserved)}`
      found.push(`${locationIn(source, prism)}: ${what} Correct the document.`)
      continue
    }
    found.push(...checkSchemas(operation, source), ...(await checkResponses(operation, source)))
    await setImmediate()
  }
  return found
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
