// Our contract as it might be one day: another name for a field of each object, a method and an event.
import { isObject, type Json, object } from '../../contract/json.ts'
import type { Document } from '../witnesses/witness.ts'

/** The envelope of every event, and the marks of unions and pages, have to stay. */
const KEPT = new Set(['id', 'event', 'type'])

/** Renames in every object the last field that is plain text, and in every resource the first method. */
export function evolved(document: Document): Document {
  const next = structuredClone(document) as Json
  for (const schema of Object.values(object(object(next.components).schemas)).filter(isObject)) {
    renameField(schema)
  }
  const operations = Object.values(object(next.paths))
    .filter(isObject)
    .flatMap((path) => Object.values(path).filter(isObject))
  const [first] = operations.filter((one) => typeof one['x-sdk-method'] === 'string')
  if (first) first['x-sdk-method'] = `${first['x-sdk-method']}Again`
  return next
}

function renameField(schema: Json): void {
  const properties = object(schema.properties)
  const names = Object.keys(properties).filter((name) => {
    const { type, enum: values, const: constant, format } = object(properties[name])
    const isPlain = values === undefined && constant === undefined && format === undefined
    return type === 'string' && isPlain && !KEPT.has(name)
  })
  const from = names.at(-1)
  if (from === undefined) return
  const to = `new_${from}`
  properties[to] = { ...object(properties[from]), 'x-renamed-from': from }
  delete properties[from]
  if (Array.isArray(schema.required)) {
    schema.required = schema.required.map((name) => (name === from ? to : name))
  }
}
