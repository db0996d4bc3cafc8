/** A parsed JSON or YAML mapping. */
export type Json = Record<string, unknown>

/** Whether a value is a mapping. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A mapping as it is, anything else as an empty one. */
export function object(value: unknown): Json {
  return isObject(value) ? value : {}
}

/** A list as it is, anything else as an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text as it is, anything else as null. */
export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The entries of a mapping by name, so that the order of a file's keys decides nothing. */
export function sortedEntries(value: unknown): Array<[string, unknown]> {
  return Object.entries(object(value)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Whether data holds an integer that was rounded when it was read. */
export function isRounded(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRounded)
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** Data whose mappings have their keys in order, so that the order in a file decides nothing. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(sortedEntries(value).map(([key, item]) => [key, sortKeys(item)]))
}

/** Keys beneath which each key is a name that the author chose and not a keyword. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'variables',
  'mapping',
  'scopes',
  'mediaTypes',
])

/** Keys whose values are data, not part of the description. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'required'])

/**
 * Visits every object and list of a description, parents first, and nothing inside of examples and
 * other data. `names` is true if the keys of the node are names and not keywords.
 */
export function walk(
  root: unknown,
  visit: (node: object, path: readonly string[], names: boolean) => void,
): void {
  const step = (node: unknown, path: readonly string[], names: boolean): void => {
    if (typeof node !== 'object' || node === null) return
    visit(node, path, names)
    for (const [key, value] of Object.entries(node)) {
      const keyword = !names && !Array.isArray(node)
      if (keyword && DATA.has(key)) continue
      step(value, [...path, key], keyword && NAMED.has(key) && !Array.isArray(value))
    }
  }
  step(root, [], false)
}

/** The keys that a JSON pointer names: `a` and `b/c` for `/a/b~1c`. */
export function keysOf(pointer: string): string[] {
  const keys = pointer.replace(/^#/, '').split('/').slice(1)
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `/a/b~1c` for the keys `a` and `b/c`. */
export function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
