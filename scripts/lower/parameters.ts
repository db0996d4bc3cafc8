import { type Json, list, object } from '../contract/json.ts'
import type { TypeIndex } from '../model/index.ts'
import type { Name, Parameter, Style, TypeRef } from '../model/types.ts'
import { words } from '../model/words.ts'
import { type Context, docOf } from './context.ts'
import type { Path, Schemas } from './schemas.ts'

export interface Parameters {
  path: Parameter[]
  query: Parameter[]
  header: Parameter[]
}

/** Headers that OpenAPI describes in other ways. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization'])

const DEFAULT_STYLE: Readonly<Record<string, Style>> = {
  path: { style: 'simple', explode: false },
  header: { style: 'simple', explode: false },
  query: { style: 'form', explode: true },
}

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
}

/**
 * The parameters of an operation, its path's included; those in the path in the order of the path.
 *
 * @param owner What inline types of parameters are named after.
 * @param without Headers that are no parameters, in lower case.
 */
export function parametersOf(
  path: string,
  item: Json,
  operation: Json,
  at: Path,
  owner: Name,
  without: ReadonlySet<string>,
  context: Context,
  schemas: Schemas,
): Parameters {
  const byKey = new Map<string, { node: Json; pointer: Path }>()
  const levels = [
    { nodes: list(item.parameters), path: at.slice(0, -1) },
    { nodes: list(operation.parameters), path: at },
  ]
  for (const { nodes, path } of levels) {
    for (const [index, node] of nodes.entries()) {
      const resolved = context.resolve(node)
      // Reported where it was read.
      if (typeof resolved.in !== 'string') continue
      const key = `${resolved.in} ${resolved.name}`
      byKey.set(key, { node: resolved, pointer: [...path, 'parameters', String(index)] })
    }
  }
  const found: Parameters = { path: [], query: [], header: [] }
  for (const { node, pointer } of byKey.values()) {
    const location = String(node.in)
    const name = String(node.name)
    if (location === 'header' && skipped(name, without)) continue
    if (location !== 'path' && location !== 'query' && location !== 'header') {
      const fix = 'Remove the parameter, or move it to a header or the query'
      context.unsupported(node, 'in', `no SDK sends parameters in a ${location}`, fix)
      continue
    }
    found[location].push(parameter(node, location, owner, pointer, context, schemas))
  }
  const order = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  checkPlaceholders(order, found.path, operation, context)
  found.path.sort((a, b) => order.indexOf(a.wire) - order.indexOf(b.wire))
  return found
}

function checkPlaceholders(
  placeholders: readonly string[],
  parameters: readonly Parameter[],
  operation: Json,
  context: Context,
): void {
  const names = parameters.map(({ wire }) => wire)
  for (const name of placeholders.filter((name) => !names.includes(name))) {
    const message = `no parameter describes {${name}} in the path`
    context.unsupported(operation, undefined, message, 'Add a parameter with "in: path"')
  }
  for (const name of names.filter((name) => !placeholders.includes(name))) {
    const fix = 'Add it to the path, or remove the parameter'
    context.unsupported(
      operation,
      'parameters',
      `the path has no {${name}} for this parameter`,
      fix,
    )
  }
}

function skipped(name: string, without: ReadonlySet<string>): boolean {
  const lower = name.toLowerCase()
  return IGNORED_HEADERS.has(lower) || without.has(lower)
}

function parameter(
  node: Json,
  location: 'path' | 'query' | 'header',
  owner: Name,
  pointer: Path,
  context: Context,
  schemas: Schemas,
): Parameter {
  const own = node['x-sdk-name']
  const wire = String(node.name)
  const name = words(typeof own === 'string' ? own : wire)
  if ('content' in node) {
    const fix = 'Describe it with "schema" and "style"'
    context.unsupported(node, 'content', 'a parameter is described by "content"', fix)
  }
  context.refuse('Parameter', node)
  const type = schemas.use(node.schema, [...owner, ...name], [...pointer, 'schema'])
  const shape = shapeOf(type, schemas.declarations.index)
  const style = styleOf(node, location, context)
  const initial = DEFAULT_STYLE[location]
  const isDefault = style.style === initial?.style && style.explode === initial.explode
  if (shape === 'object' && location !== 'query' && style.explode) {
    const message = `no SDK writes an object to the ${location} with "explode"`
    context.unsupported(node, 'explode', message, 'Use several parameters, or remove "explode"')
  }
  const required = node.required === true || location === 'path'
  const doc = docOf(node, docOf(object(node.schema)).text)
  const example = exampleOf(node, context)
  return {
    wire,
    name,
    type,
    shape,
    style: shape === 'scalar' || isDefault ? null : style,
    required,
    doc,
    ...(example === undefined ? {} : { example }),
  }
}

function exampleOf(node: Json, context: Context): unknown {
  const schema = context.resolve(node.schema)
  const [first] = Object.values(object(node.examples)).map((one) => context.resolve(one).value)
  return node.example ?? first ?? schema.example ?? list(schema.examples)[0]
}

function styleOf(node: Json, location: string, context: Context): Style {
  const initial = DEFAULT_STYLE[location] ?? { style: 'form', explode: true }
  const style = String(node.style ?? initial.style)
  const allowed = STYLES[location] ?? []
  if (!allowed.includes(style)) {
    const fix = `Use ${allowed.join(', ')}`
    context.unsupported(node, 'style', `no SDK writes a ${location} in the style ${style}`, fix)
  }
  const explode = typeof node.explode === 'boolean' ? node.explode : style === 'form'
  return { style: style as Style['style'], explode }
}

function shapeOf(type: TypeRef, index: TypeIndex): Parameter['shape'] {
  if (type.kind === 'list') return 'list'
  if (type.kind === 'map') return 'object'
  if (type.kind === 'nullable') return shapeOf(type.of, index)
  const decl = type.kind === 'ref' ? index.decl(type.id) : undefined
  if (decl?.kind === 'alias') return shapeOf(decl.type, index)
  if (decl?.kind === 'union') {
    const shapes = decl.variants.map((variant) => shapeOf(variant, index))
    return shapes.find((shape) => shape !== 'scalar') ?? 'scalar'
  }
  return decl?.kind === 'model' ? 'object' : 'scalar'
}
