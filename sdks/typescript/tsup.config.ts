import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'

// Chunks are named by their content. Without this, the package would hold those of earlier builds.
rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true })

const entry = {
  index: 'src/index.ts',
  raw: 'src/raw/index.ts',
  webhooks: 'src/webhooks/index.ts',
  'webhooks-node': 'src/webhooks/node.ts',
  'webhooks-fetch': 'src/webhooks/fetch.ts',
  'webhooks-redis': 'src/webhooks/redis.ts',
  'webhooks-postgres': 'src/webhooks/postgres.ts',
  'webhooks-sqlite': 'src/webhooks/sqlite.ts',
  'webhooks-fastify': 'src/webhooks/fastify.ts',
  'webhooks-koa': 'src/webhooks/koa.ts',
  'webhooks-lambda': 'src/webhooks/lambda.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  testing: 'src/testing/index.ts',
  msw: 'src/msw/index.ts',
}

/** Classes that several entries share, which must be the same in all for `instanceof`. */
const shared = {
  names: 'src/generated/names.ts',
  error: 'src/webhooks/error.ts',
}

/**
 * Copies the declarations of the bundled packages out of node_modules. tsup never bundles a
 * declaration from there, and users would have to install the packages.
 */
function bundledTypes(): Record<string, string[]> {
  const require = createRequire(import.meta.url)
  const folder = join(import.meta.dirname, 'dist', '.types')
  mkdirSync(folder, { recursive: true })
  const declarations = {
    'openapi-fetch': 'index.d.mts',
    'openapi-typescript-helpers': 'index.d.ts',
  }
  return Object.fromEntries(
    Object.entries(declarations).map(([name, file]) => {
      const copy = join(folder, `${name}.d.ts`)
      copyFileSync(join(dirname(require.resolve(name)), file), copy)
      return [name, [copy]]
    }),
  )
}

const common: Options = {
  target: 'es2022',
  platform: 'neutral',
  noExternal: ['openapi-fetch'],
  sourcemap: true,
  // esbuild imports a chunk for its side effects too. There are none, and bundlers warn of it.
  plugins: [
    {
      name: 'no-bare-imports',
      renderChunk: (code, { map }) => ({
        code: code.replace(/^import ['"]\.\/chunk-.*;$/gm, ''),
        map,
      }),
    },
  ],
  dts: { entry, compilerOptions: { paths: bundledTypes() } },
}

export default defineConfig([
  { ...common, entry, format: 'esm', splitting: true },
  {
    ...common,
    // CommonJS has no chunks, so that each shared module is a file.
    entry: { ...entry, ...shared },
    format: 'cjs',
    splitting: false,
    esbuildPlugins: [
      {
        name: 'shared-files',
        setup(build) {
          build.onResolve({ filter: /\/(?:names|error)\.js$/ }, ({ path }) => ({
            path: `./${basename(path, '.js')}.cjs`,
            external: true,
          }))
        },
      },
    ],
  },
])
