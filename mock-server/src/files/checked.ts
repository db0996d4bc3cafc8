/** Reads a YAML or JSON file that a published schema describes; what is wrong is told with its place. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BaseResolver, type Document, getLineColLocation } from '@redocly/openapi-core'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A file that cannot be used, with a line `FILE:LINE:COL: what is wrong. what to do` for each reason. */
export class FileError extends Error {}

/** Something that is wrong with the value at a place. */
export interface Fault {
  /** A JSON pointer. */
  place: string
  text: string
}

/** What the value at a place is called. */
export type Naming = (place: string, file: unknown) => string

export interface CheckedFile<T> {
  value: T
  /** Where a JSON pointer leads to, as `FILE:LINE:COL`. */
  placeOf: (pointer: string) => string
  /** @throws {FileError} where there are any. */
  refuse: (faults: readonly Fault[]) => void
}

/** @throws {FileError} for a file that cannot be read or does not fit its schema */
export async function readChecked<T>(
  file: string,
  schema: URL,
  nameOf: Naming = lastOf,
): Promise<CheckedFile<T>> {
  const { source, parsed } = await parse(file)
  const placeOf = (pointer: string) => {
    const { start } = getLineColLocation({ source, pointer: `#${pointer || '/'}` })
    return `${file}:${start.line}:${start.col}`
  }
  const refuse = (faults: readonly Fault[]) => {
    if (faults.length === 0) return
    throw new FileError(faults.map(({ place, text }) => `${placeOf(place)}: ${text}`).join('\n'))
  }
  const name = schema.pathname.split('/').at(-1)
  const advice = `The file ${name} of this package says what there may be.`
  refuse(await misfits(parsed, schema, nameOf, advice))
  return { value: parsed as T, placeOf, refuse }
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

/** Where a value is not what its schema asks for. */
async function misfits(
  value: unknown,
  schema: URL,
  nameOf: Naming,
  advice: string,
): Promise<Fault[]> {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(await readFile(schema, 'utf8')))
  validate(value)
  return (validate.errors ?? []).map((error) => {
    const { instancePath: place, keyword } = error
    const cure = CURES[keyword]?.(error)
    // An example says more than a pattern.
    const message = keyword === 'pattern' && cure ? 'is malformed' : error.message
    return { place, text: `${nameOf(place, value)} ${message}. ${cure ?? advice}` }
  })
}

/** The last name on the way there. */
export function lastOf(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1) || 'The file'
}

const CURES: Record<string, (error: ErrorObject) => string | undefined> = {
  required: ({ params }) => `Add \`${params.missingProperty}\`.`,
  additionalProperties: ({ params }) => `Remove \`${params.additionalProperty}\`.`,
  enum: ({ params }) => `Take one of: ${params.allowedValues.join(', ')}.`,
  format: () => 'Write a time as "2026-03-02T09:14:07Z".',
  type: ({ params }) => `Write it as ${[params.type].flat().join(' or ')}.`,
  pattern: ({ parentSchema }) =>
    parentSchema?.examples && `Write it like ${parentSchema.examples[0]}.`,
}
