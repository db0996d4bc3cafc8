/** Reads a YAML or JSON file that a published schema describes, and locates every problem in it. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BaseResolver, type Document, getLineColLocation } from '@redocly/openapi-core'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A file that cannot be used, with a line `FILE:LINE:COL: what is wrong. what to do` for each reason. */
export class FileError extends Error {}

/** Something that is wrong with a value. */
export interface FileProblem {
  /** A JSON pointer to the value. */
  pointer: string
  /** What is wrong, and what to do about it. */
  text: string
}

/** Names the value at a JSON pointer for a message. */
export type Naming = (pointer: string, file: unknown) => string

export interface CheckedFile<T> {
  value: T
  /** The location of a JSON pointer, as `FILE:LINE:COL`. */
  locationOf: (pointer: string) => string
  /** @throws {FileError} if there are any problems. */
  refuse: (problems: readonly FileProblem[]) => void
}

/** @throws {FileError} for a file that cannot be read or does not fit its schema */
export async function readChecked<T>(
  file: string,
  schema: URL,
  nameOf: Naming = lastOf,
): Promise<CheckedFile<T>> {
  const { source, parsed } = await parse(file)
  const locationOf = (pointer: string) => {
    const { start } = getLineColLocation({ source, pointer: `#${pointer || '/'}` })
    return `${file}:${start.line}:${start.col}`
  }
  const refuse = (problems: readonly FileProblem[]) => {
    if (problems.length === 0) return
    const lines = problems.map(({ pointer, text }) => `${locationOf(pointer)}: ${text}`)
    throw new FileError(lines.join('\n'))
  }
  const name = schema.pathname.split('/').at(-1)
  const advice = `See ${name} in this package.`
  refuse(await misfits(parsed, schema, nameOf, advice))
  return { value: parsed as T, locationOf, refuse }
}

async function parse(file: string): Promise<Document> {
  try {
    const document = await new BaseResolver().resolveDocument(null, resolve(file), true)
    if (document instanceof Error) throw document
    return document as Document
  } catch (error) {
    const { line = 1, col = 1, message } = error as Error & { line?: number; col?: number }
    const [reason = ''] = message.split('\n')
    const text = `${reason.replace(/\.?$/, '.')} Name a readable YAML or JSON file.`
    throw new FileError(`${file}:${line}:${col}: ${text}`)
  }
}

/** The values that do not fit the schema. */
async function misfits(
  value: unknown,
  schema: URL,
  nameOf: Naming,
  advice: string,
): Promise<FileProblem[]> {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(await readFile(schema, 'utf8')))
  validate(value)
  return (validate.errors ?? []).map((error) => {
    const { instancePath, keyword, params } = error
    const cure = CURES[keyword]?.(error)
    const message = (cure && PLAIN[keyword]?.(error)) ?? error.message
    const text = `${nameOf(instancePath, value)} ${message}. ${cure ?? advice}`
    const key = keyword === 'additionalProperties' ? `/${escaped(params.additionalProperty)}` : ''
    return { pointer: instancePath + key, text }
  })
}

/** Names a value by the last part of its pointer. */
export function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1) || 'The file'
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Clearer than what Ajv says. */
const PLAIN: Record<string, (error: ErrorObject) => string> = {
  pattern: () => 'is malformed',
  additionalProperties: ({ params }) => `has an unknown key \`${params.additionalProperty}\``,
}

const CURES: Record<string, (error: ErrorObject) => string | undefined> = {
  required: ({ params }) => `Add \`${params.missingProperty}\`.`,
  additionalProperties: ({ parentSchema }) => {
    const known = Object.keys(parentSchema?.properties ?? {}).join(', ')
    return known ? `Use one of: ${known}.` : 'Remove it.'
  },
  enum: ({ params }) => `Use one of: ${params.allowedValues.join(', ')}.`,
  format: () => 'Write the time as "2026-03-02T09:14:07Z".',
  type: ({ params }) => `Write it as ${[params.type].flat().join(' or ')}.`,
  pattern: ({ parentSchema }) =>
    parentSchema?.examples && `Write it like ${parentSchema.examples[0]}.`,
}
