/** Finds the target of a path; literal segments win over templated ones. */
export interface Router<T> {
  /** The methods of a path, or null if the path is unknown. */
  match(path: string): ReadonlyMap<string, T> | null
  /** Every method of every path. */
  methods: ReadonlySet<string>
}

/** A path template such as `/v1/conversations/{id}`, and the target for one method. */
export interface Route<T> {
  path: string
  method: string
  target: T
}

/** Builds a router. Of two routes with the same path and method, the first counts. */
export function createRouter<T>(routes: Route<T>[]): Router<T> {
  const byPath = new Map<string, Map<string, T>>()
  for (const { path, method, target } of routes) {
    const methods = byPath.get(path) ?? new Map<string, T>()
    if (!methods.has(method)) methods.set(method, target)
    byPath.set(path, methods)
  }
  const templates = [...byPath]
    .filter(([path]) => path.includes('{'))
    .sort(([a], [b]) => compare(a, b))
    .map(([path, methods]) => ({ path, length: lengthOf(path), pattern: patternOf(path), methods }))
  // A path also has the methods of the templates that match it, as do templates that differ in names.
  for (const [path, methods] of byPath) {
    const length = lengthOf(path)
    for (const other of templates) {
      if (other.length !== length || other.path === path || !other.pattern.test(path)) continue
      for (const [method, target] of other.methods) {
        if (!methods.has(method)) methods.set(method, target)
      }
    }
  }

  return {
    methods: new Set(routes.map(({ method }) => method)),
    match: (path) =>
      (path.includes('{') ? null : byPath.get(path)) ??
      templates.find(({ pattern }) => pattern.test(path))?.methods ??
      null,
  }
}

const templates = new Map<string, { names: string[]; pattern: RegExp }>()

/** The decoded values of a template's parameters in a path that matches it. */
export function parametersOf(template: string, path: string): Record<string, string> {
  const { names, pattern } = templates.get(template) ?? parse(template)
  const values = pattern.exec(path) ?? []
  return Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? '')]),
  )
}

function parse(template: string) {
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  const parts = { names, pattern: patternOf(template) }
  templates.set(template, parts)
  return parts
}

/** The methods that a path supports, as in an `Allow` field. */
export function allowed(methods: Iterable<string>): string[] {
  const all = new Set(methods)
  if (all.has('GET')) all.add('HEAD')
  all.add('OPTIONS')
  return [...all].sort()
}

/** How many segments a path has. */
function lengthOf(path: string): number {
  return path.split('/').length
}

function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('([^/]+?)')}$`)
}

/** Orders templates so that at the first differing segment the more literal one comes first. */
function compare(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = templating(left[i]) - templating(right[i])
    if (difference !== 0) return difference
  }
  return 0
}

function templating(segment = ''): number {
  return /^\{[^}]*\}$/.test(segment) ? 2 : segment.includes('{') ? 1 : 0
}
