import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'

// Chunks are named by their content: without this, those of earlier builds would be packed as well.
rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true })

const entry = { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts' }

/**
 * Copies the declarations of the bundled packages out of node_modules: what lies in there is never
 * put into a declaration file, and users would have to install it.
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
  dts: { entry, compilerOptions: { paths: bundledTypes() } },
}

export default defineConfig([
  { ...common, entry, format: 'esm', splitting: true },
  {
    ...common,
    // CommonJS has no chunks. The error class that both entries know is a file of its own, so that
    // `instanceof` holds across them.
    entry: { ...entry, names: 'src/generated/names.ts' },
    format: 'cjs',
    splitting: false,
    esbuildPlugins: [
      {
        name: 'shared-names',
        setup(build) {
          build.onResolve({ filter: /\/names\.js$/ }, () => ({
            path: './names.cjs',
            external: true,
          }))
        },
      },
    ],
  },
])
