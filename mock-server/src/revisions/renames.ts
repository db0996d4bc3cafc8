/**
 * Follows the names of a contract's parts through its revisions, so that what the sandbox knows by the names
 * of an earlier revision is carried over into a later one. What became what is what `contract:diff` reports:
 * by `x-renamed-from`, or where one part is gone, one has come, and nothing but their names differs.
 */
import { match, saySame } from '@support-chat/scripts/changes/match'
import { Description, type Json, object } from '../contract/document.ts'
import type { Rename } from '../sandbox/sandboxes.ts'

const MARK = 'x-renamed-from'
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** A part of a contract that has a name. */
interface Part {
  name: string
  node: Json
  /** Where else it stands, as in other variants of a union. */
  others?: readonly Json[]
  /** What it was called before. */
  mark: unknown
  /** Whether it must be there. */
  isRequired: boolean
}

/** The later revision, whose marks say how the earliest one calls each part, and what was renamed. */
export function traced(
  before: Description,
  after: Description,
): { description: Description; renames: Rename[] } {
  const description = new Description(structuredClone(after.document))
  const trace = new Trace(before, description)
  trace.run()
  return { description, renames: [...trace.renames.values()] }
}

class Trace {
  readonly #before: Description
  readonly #after: Description
  /** The schemas that were compared, since schemas may contain themselves. */
  readonly #seen = new Map<object, Set<object>>()
  /** Written at the end, since a schema may be compared again with what its own marks say. */
  readonly #marks: Array<[node: Json, origin: unknown]> = []
  /** Each once, since a schema may have several users. */
  readonly renames = new Map<string, Rename>()

  constructor(before: Description, after: Description) {
    this.#before = before
    this.#after = after
  }

  run(): void {
    const [old, now] = [operationsOf(this.#before), operationsOf(this.#after)]
    for (const operation of now) {
      const partner = partnerOf(operation, old)
      if (partner) this.#operation(partner, operation)
    }
    const webhooks = [webhooksOf(this.#before), webhooksOf(this.#after)] as const
    this.#parts('event', ...webhooks, (from, to) => this.#bodies(from, to))
    for (const [node, origin] of this.#marks) node[MARK] = origin
  }

  #operation(from: Operation, to: Operation): void {
    const origin = from.node[MARK] ?? from.route
    if (origin !== to.route) this.#marks.push([to.node, origin])
    if (unnamedRoute(from.route) !== unnamedRoute(to.route)) {
      this.#note({ what: 'operation', from: from.route, to: to.route, isCertain: true })
    }
    this.#parts('parameter', from.parameters, to.parameters)
    this.#bodies(from.node, to.node)
    const [old, now] = [object(from.node.responses), object(to.node.responses)]
    for (const [code, response] of Object.entries(now)) {
      const [was, is] = [this.#before.resolve(old[code]), this.#after.resolve(response)]
      this.#parts('header', headersOf(this.#before, was), headersOf(this.#after, is))
      this.#contents(was, is)
    }
  }

  #bodies(from: Json, to: Json): void {
    this.#contents(this.#before.resolve(from.requestBody), this.#after.resolve(to.requestBody))
  }

  #contents(from: Json, to: Json): void {
    const old = object(from.content)
    const [usual] = Object.values(old)
    for (const [mediaType, content] of Object.entries(object(to.content))) {
      this.#schemas(object(old[mediaType] ?? usual).schema, object(content).schema)
    }
  }

  #schemas(from: unknown, to: unknown): void {
    if (!isFirst(this.#seen, object(to), object(from))) return
    const [old, now] = [piecesOf(this.#before, from), piecesOf(this.#after, to)]
    this.#parts('field', propertiesOf(old), propertiesOf(now), (was, is) => this.#schemas(was, is))
    for (const inside of ['items', 'additionalProperties']) {
      const [was, is] = [old, now].map((pieces) => pieces.find((one) => one[inside])?.[inside])
      if (was !== undefined && is !== undefined) this.#schemas(was, is)
    }
  }

  /** Marks parts with their first names. @param inside Compares what is in a pair of them. */
  #parts(
    what: Rename['what'],
    before: readonly Part[],
    after: readonly Part[],
    inside: (from: Json, to: Json) => void = () => {},
  ): void {
    const { pairs } = match(before, after, {
      name: ({ name }) => name,
      oldName: ({ mark }) => mark,
      areAlike: (a, b) => a.isRequired === b.isRequired && saySame(unnamed(a), unnamed(b)),
    })
    for (const { before: from, after: to, renamed } of pairs) {
      if (renamed) {
        this.#note({ what, from: from.name, to: to.name, isCertain: renamed === 'certain' })
      }
      const origin = from.mark ?? from.name
      for (const node of [to.node, ...(to.others ?? [])]) {
        if (origin !== to.name) this.#marks.push([node, origin])
        inside(from.node, node)
      }
    }
  }

  #note(rename: Rename): void {
    this.renames.set(JSON.stringify(rename), rename)
  }
}

interface Operation {
  /** As `METHOD /path`. */
  route: string
  id: unknown
  node: Json
  parameters: Part[]
}

function operationsOf(description: Description): Operation[] {
  return Object.entries(object(description.document.paths)).flatMap(([path, node]) => {
    const item = description.resolve(node)
    return METHODS.filter((method) => item[method]).map((method) => {
      const operation = description.resolve(item[method])
      const named = [item.parameters, operation.parameters].flatMap((list) => list ?? [])
      const parameters = named.map((parameter) => description.resolve(parameter))
      return {
        route: `${method.toUpperCase()} ${path}`,
        id: operation.operationId,
        node: operation,
        parameters: parameters.map((one) => ({
          name: String(one.name),
          node: one,
          mark: one[MARK],
          isRequired: one.required === true,
        })),
      }
    })
  })
}

/** The operation of an earlier revision that became another one. */
function partnerOf(operation: Operation, earlier: readonly Operation[]): Operation | undefined {
  const { route, id, node } = operation
  const rules: Array<(one: Operation) => boolean> = [
    (one) => typeof node[MARK] === 'string' && unnamedRoute(one.route) === unnamedRoute(node[MARK]),
    (one) => unnamedRoute(one.route) === unnamedRoute(route),
    (one) => id !== undefined && one.id === id,
  ]
  return rules.map((rule) => earlier.find(rule)).find((one) => one !== undefined)
}

/** A part without its name, which parameters have inside. */
function unnamed({ node: { name: _, ...rest } }: Part): Json {
  return rest
}

/** A route without the names of its parameters. */
function unnamedRoute(route: string): string {
  return route.replace(/\{[^}]*\}/g, '{}')
}

function webhooksOf(description: Description): Part[] {
  return Object.entries(object(description.document.webhooks)).map(([name, hook]) => {
    const item = description.resolve(hook)
    const node = description.resolve(item.post)
    return { name, node, mark: node[MARK] ?? item[MARK], isRequired: false }
  })
}

function headersOf(description: Description, response: Json): Part[] {
  return Object.entries(object(response.headers)).map(([name, node]) => {
    const header = description.resolve(node)
    const isRequired = header.required === true
    return { name: name.toLowerCase(), node: header, mark: header[MARK], isRequired }
  })
}

/** A schema with everything that it refers to or is composed of. */
function piecesOf(description: Description, schema: unknown, seen: readonly Json[] = []): Json[] {
  const node = description.resolve(schema)
  if (seen.includes(node)) return []
  const { allOf, oneOf, anyOf } = node
  const inside = [allOf, oneOf, anyOf].flatMap((list) => (list ?? []) as unknown[])
  return [node, ...inside.flatMap((one) => piecesOf(description, one, [...seen, node]))]
}

/** The properties of all pieces of a schema, each name once. */
function propertiesOf(pieces: readonly Json[]): Part[] {
  const required = new Set(pieces.flatMap((one) => (one.required ?? []) as string[]))
  const found = new Map<string, Json[]>()
  for (const { properties } of pieces) {
    for (const [name, node] of Object.entries(object(properties))) {
      found.set(name, [...(found.get(name) ?? []), object(node)])
    }
  }
  return [...found].map(([name, [node = {}, ...others]]) => {
    return { name, node, others, mark: node[MARK], isRequired: required.has(name) }
  })
}

/** Whether a pair of schemas was not seen before. Notes it. */
function isFirst(seen: Map<object, Set<object>>, to: object, from: object): boolean {
  const known = seen.get(to) ?? new Set()
  seen.set(to, known)
  const { size } = known
  return known.add(from).size > size
}
