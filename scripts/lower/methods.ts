import type { Json } from '../contract/json.ts'
import type { Name } from '../model/types.ts'
import { words } from '../model/words.ts'

export interface MethodLocation {
  resource: Name[]
  method: Name
}

/** An operation as the document describes it. */
interface Described {
  item: Json
  operation: Json
  /** Whether it returns a list or a page. */
  isList: boolean
  /** Whether single things lie beneath its path. */
  isCollection: boolean
}

/**
 * The location of an operation in the SDKs: its `x-sdk-method`, else one derived from its path. The
 * literal segments are the resources. A path that ends in a parameter is one thing, else a collection.
 *
 * @param prefix The version that starts all paths.
 */
export function methodOf(
  verb: string,
  path: string,
  prefix: string,
  { item, operation, isList, isCollection }: Described,
): MethodLocation {
  const given = operation['x-sdk-method']
  if (typeof given === 'string') return namedBy(given)
  const segments = withoutExtension(path)
    .slice(prefix.length)
    .split('/')
    .filter((segment) => segment !== '')
  const resource = segments
    .filter((segment) => !segment.includes('{'))
    .map(words)
    .filter((name) => name.length > 0)
  const isItem = segments.at(-1)?.includes('{') ?? false
  return {
    resource: resource.length > 0 ? resource : [['root']],
    method:
      isCollection && IN_PLACE.has(verb)
        ? [METHODS[verb] ?? '', 'all']
        : [derive(isItem && verb === 'POST' && !item.patch ? 'PATCH' : verb, isItem, isList)],
  }
}

/** A format is no part of a name. */
export function withoutExtension(path: string): string {
  return path.replace(/\.(?:json|xml)$/i, '')
}

const METHODS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'check',
  OPTIONS: 'options',
}

/** What acts on each thing of a collection, and has a method for a single one beside it. */
const IN_PLACE = new Set(['PUT', 'PATCH', 'DELETE'])

function derive(verb: string, isItem: boolean, isList: boolean): string {
  return METHODS[verb] ?? (isList && !isItem ? 'list' : 'get')
}

/** `v1`, `v1.2`, `v1beta1` or `2030-01-31`. */
const VERSION = /^v?\d+(?:[.-]\d+)*(?:alpha\d*|beta\d*)?$/i

/** The literal segments that start all paths, if the last one is a version. */
export function pathPrefix(paths: readonly string[]): string {
  const [first, ...others] = paths.map((path) => path.split('/'))
  if (!first) return ''
  const shared: string[] = []
  for (const [index, segment] of first.entries()) {
    if (segment.includes('{') || others.some((other) => other[index] !== segment)) break
    shared.push(segment)
  }
  const version = shared.findLastIndex((segment) => VERSION.test(segment))
  return shared.slice(0, version + 1).join('/')
}

/** The location that a name like `orders.items.list` gives. */
export function namedBy(name: string): MethodLocation {
  const names = name.split('.').map(words)
  return { resource: names.slice(0, -1), method: names.at(-1) ?? [] }
}
