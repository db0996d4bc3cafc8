import { resolve } from 'node:path'
import {
  BaseResolver,
  type Document,
  escapePointerFragment,
  getLineColLocation,
  Source,
  YamlParseError,
} from '@redocly/openapi-core'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Location, Problem } from './problem.ts'

/** A file as it was read. */
export interface YamlFile<T> {
  /** What the file holds; null where it cannot be read or does not fit its schema. */
  value: T | null
  problems: Problem[]
  /** Where the value at a JSON pointer such as `/steps/2` stands; the file's start for `''`. */
  locate(pointer: string): Location
}

/**
 * What a message calls the value at a JSON pointer.
 *
 * @param extra A key of the value that its schema does not allow, where that is the problem.
 */
export type Naming = (pointer: string, file: unknown, extra?: string) => string

/** Gives the text of a file by its absolute path, and throws where there is none. */
export type Read = (path: string) => string

/** Reads files from elsewhere than the disk. */
export class TextResolver extends BaseResolver {
  readonly #read: Read

  constructor(read: Read) {
    super()
    this.#read = read
  }

  override async loadExternalRef(path: string): Promise<Source> {
    return new Source(path, this.#read(path))
  }
}

export interface YamlOptions {
  /** Default: the keys that lead to the value, joined by dots. */
  nameOf?: Naming
  /** What to do where the schema suggests nothing. Default: `Correct the file`. */
  advice?: string
  /** Reads the file; the disk otherwise. */
  read?: Read
  /** Whether a location is that of a value or, as in the contract, that of its key (the default). */
  pointAt?: 'key' | 'value'
}

/** Reads a YAML or JSON file that must fit a JSON Schema. */
export async function readYaml<T>(
  file: string,
  schema: object,
  { nameOf = dotted, advice = 'Correct the file', pointAt = 'key', read }: YamlOptions = {},
): Promise<YamlFile<T>> {
  const resolver = read ? new TextResolver(read) : new BaseResolver()
  const found = await attempt(() => resolver.resolveDocument(null, resolve(file), true))
  if (found instanceof Error) {
    const problem = unreadable(file, found)
    return { value: null, problems: [problem], locate: () => problem.location }
  }
  const { source, parsed } = found as Document
  const locate = (pointer: string, reportOnKey = pointAt === 'key'): Location => {
    const { start } = getLineColLocation({ source, pointer: `#${pointer || '/'}`, reportOnKey })
    return { file, line: start.line, column: start.col }
  }
  const validate = validatorOf(schema)
  if (validate(parsed)) return { value: parsed as T, problems: [], locate }
  const problems = (validate.errors ?? []).map((error): Problem => {
    const extra = error.params.additionalProperty ?? error.params.propertyName
    const where = error.instancePath
    return {
      severity: 'error',
      location:
        extra === undefined
          ? locate(where)
          : locate(`${where}/${escapePointerFragment(extra)}`, true),
      message: `${nameOf(where, parsed, extra)} ${faultOf(error)}`,
      fix: cureOf(error) ?? advice,
    }
  })
  return { value: null, problems, locate }
}

/** What a step comes to, its failure included: Redocly throws some and returns others. */
export async function attempt<T>(step: () => Promise<T>): Promise<T | Error> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

/** The problem that a file cannot be read, at the point where reading stops. */
export function unreadable(file: string, error: Error): Problem {
  const [line, column] = error instanceof YamlParseError ? [error.line, error.col] : [1, 1]
  const message = (error.message.split('\n')[0] ?? '').replace(/ in "[^"]*" \(\d+:\d+\).*$/, '')
  return {
    severity: 'error',
    location: { file, line, column },
    message: `the file cannot be read: ${message}`,
    fix: 'Name a readable YAML or JSON file',
  }
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true })
ajv.addKeyword({ keyword: 'x-must-be', schemaType: 'string' })
addFormats.default(ajv)

/** Compiles each schema once, which takes longer than reading a file. */
function validatorOf(schema: { $id?: string }): ValidateFunction {
  return (schema.$id && ajv.getSchema(schema.$id)) || ajv.compile(schema)
}

function dotted(pointer: string, _file: unknown, extra?: string): string {
  const keys = [...pointer.split('/').slice(1), ...(extra === undefined ? [] : [extra])]
  return keys.join('.') || 'the file'
}

function faultOf({ keyword, parentSchema, message, data }: ErrorObject): string {
  if (keyword === 'additionalProperties') return 'is unknown'
  const inWords: unknown = parentSchema?.['x-must-be']
  if (inWords) return `must be ${inWords} (now ${JSON.stringify(data)})`
  if (keyword !== 'pattern') return message ?? 'is not allowed'
  // An example says more than a pattern.
  return parentSchema?.examples ? 'is malformed' : `${message} (now ${JSON.stringify(data)})`
}

function cureOf({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  switch (keyword) {
    case 'required':
      return `Add \`${params.missingProperty}\``
    case 'additionalProperties':
      return unknownCure(Object.keys(parentSchema?.properties ?? {}))
    case 'enum':
      return `Use one of: ${params.allowedValues.join(', ')}`
    case 'type':
      return `Write it as ${[params.type].flat().join(' or ')}`
    case 'format':
      return params.format === 'date-time' ? 'Write the time as "2026-03-02T09:14:07Z"' : undefined
    case 'pattern':
      return parentSchema?.examples && `Write it like ${parentSchema.examples[0]}`
    default:
      return undefined
  }
}

function unknownCure(known: readonly string[]): string {
  return known.length > 0 ? `Remove it, or use one of: ${known.join(', ')}` : 'Remove it'
}
