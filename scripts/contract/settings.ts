import { resolve } from 'node:path'
import { BaseResolver } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { attempt, unreadable } from './failures.ts'
import { type Json, object } from './json.ts'
import { Locations } from './locations.ts'
import type { Problem } from './problem.ts'

/** Compiles each schema once, which takes longer than reading a file. */
const ajv = new Ajv2020({ allErrors: true, verbose: true })

/** Reads a YAML file that must fit a JSON Schema, and tells every place where it does not. */
export async function loadSettings(
  file: string,
  schema: object,
): Promise<{ settings: Json; problems: Problem[] }> {
  const read = await attempt(() => new BaseResolver().resolveDocument(null, resolve(file), true))
  if (read instanceof Error) return { settings: {}, problems: [unreadable(file, read)] }
  const locations = new Locations(read.source, file)
  const validate = ajv.compile(schema)
  if (validate(read.parsed)) return { settings: object(read.parsed), problems: [] }
  const problems = (validate.errors ?? []).map((error): Problem => {
    const { instancePath, params, parentSchema } = error
    const description = parentSchema?.description
    const message = description ? `must be ${description}` : (error.message ?? '')
    const extra = params.additionalProperty ?? params.propertyName
    const key = extra === undefined ? instancePath : `${instancePath}/${extra}`
    const where = key === '' ? 'the file' : key.slice(1).replaceAll('/', '.')
    return {
      severity: 'error',
      place: locations.at(read.source, `#${key || '/'}`),
      message: `${where} ${message}${params.pattern ? ` (now ${JSON.stringify(error.data)})` : ''}`,
      fix: 'Mend the file',
    }
  })
  return { settings: {}, problems }
}
