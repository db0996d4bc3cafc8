import { readFileSync } from 'node:fs'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** What Prism loads for things that this server never does; two thirds of the bundle. */
const UNREACHED = [
  '@faker-js/faker', // dynamic responses, which are not made by Prism
  'json-schema-faker',
  'seedrandom',
  'node-fetch', // proxying and callbacks
  'http-proxy-agent',
  'https-proxy-agent',
  'pino',
  '@stoplight/http-spec/postman/operation', // other kinds of contract
  '@stoplight/http-spec/oas2/operation',
]

/** Stands in for any module while the program loads, and does nothing. */
const INERT =
  'const inert = new Proxy(function () {}, { get: (_, name) => name !== "__esModule" && inert, apply: () => inert }); module.exports = inert'

/** Where Prism compiles a schema. */
const COMPILE = /ajvInstance\.compile\((\{[^}]*\})\)/

/** Where Prism takes any failure of a validator for a valid value, that of an overflowing pattern too. */
const VALIDATE = 'O.tryCatch(() => validateFn(value))'
const REFUSE =
  '((run) => { try { return O.some(run()) } catch (error) { if (error instanceof RangeError) throw error; return O.none } })(() => validateFn(value))'

/**
 * Prism keeps every schema that it compiles. If another contract has a schema with the same `$id`, Prism
 * cannot compile it, and accepts any value.
 */
const FORGET =
  '((schema) => { try { return ajvInstance.compile(schema) } finally { ajvInstance.removeSchema(schema) } })($1)'

/** Leaves out unreachable code, keeps Prism from keeping schemas, and replaces what Node.js warns about. */
export const slim: Plugin = {
  name: 'slim',
  setup(build) {
    const names = UNREACHED.map((name) => name.replaceAll('/', '\\/')).join('|')
    build.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path, importer }) =>
      importer.includes('node_modules') ? { path, namespace: 'inert' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'inert' }, () => ({ contents: INERT, loader: 'js' }))

    build.onLoad({ filter: /prism-http\/dist\/validator\/validators\/utils\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!COMPILE.test(text) || !text.includes(VALIDATE)) {
        throw new Error(`${path} does not compile schemas and validate as expected`)
      }
      return { contents: text.replace(COMPILE, FORGET).replace(VALIDATE, REFUSE) }
    })

    // Its module build takes any variable called `module` for CommonJS, of which some test runners
    // have one.
    build.onResolve({ filter: /^@jsdevtools\/ono$/ }, ({ path, importer, kind, resolveDir }) =>
      build.resolve(`${path}/cjs/index.js`, { importer, kind, resolveDir }),
    )

    // Node's own `url.parse` is deprecated and says so; the package of that name is the same code.
    build.onResolve({ filter: /^url$/ }, ({ importer, kind, resolveDir }) =>
      importer.includes('json-schema-ref-parser')
        ? build.resolve('url/', { importer, kind, resolveDir })
        : undefined,
    )
  },
}
