/** New values for a schema, by the generator of Prism's dynamic mode. */
import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { JSONSchemaFaker as generator } from 'json-schema-faker'
import { type Json, object } from './document.ts'

/** Prism's settings, but for `fillProperties`: an open object needs no properties of nobody's. */
const SETTINGS = {
  ...generator.option.getDefaults(),
  alwaysFakeOptionals: true,
  failOnInvalidFormat: false,
  failOnInvalidTypes: false,
  fillProperties: false,
  fixedProbabilities: true,
  ignoreMissingRefs: true,
  optionalsProbability: 1,
}

generator.extend('faker', () => faker)

/**
 * A value that depends on its seed alone. Its properties are sorted, as Prism's are.
 *
 * @param settings Of the document, in `x-json-schema-faker`.
 */
export function freshValue(schema: object, seed: string, settings: Json): unknown {
  faker.seed(createHash('sha256').update(seed).digest().readUInt32BE())
  // They are global, and other contracts have others.
  generator.option({ ...SETTINGS, ...settings, random: () => faker.number.float() })
  return sorted(generator.generate(readable(schema)))
}

/** A copy of a schema without what is only written. */
function readable<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(readable) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, required, ...rest } = schema as Json
  const written = Object.entries(object(properties)).filter(([, one]) => object(one).writeOnly)
  const names = new Set(written.map(([name]) => name))
  const kept = (list: [string, unknown][]) => {
    return Object.fromEntries(list.map(([name, one]) => [name, readable(one)]))
  }
  return {
    ...kept(Object.entries(rest)),
    ...(properties !== undefined && {
      properties: kept(Object.entries(object(properties)).filter(([name]) => !names.has(name))),
    }),
    ...(required !== undefined && {
      required: Array.isArray(required) ? required.filter((name) => !names.has(name)) : required,
    }),
  } as T
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, sorted(one)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
