import { defineConfig } from 'tsup'
import { sdkFromSource } from './build/sdk.ts'
import { slim } from './build/slim.ts'

// Users install no dependency: everything is bundled, Prism with what it needs included. That is
// CommonJS, which asks for `require` and `__dirname`; `module` first gives the smaller trees.
export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts', 'src/checker.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  noExternal: [/^(?!@ast-grep\/)/],
  // Native code, which users install if they need it.
  external: [/^@ast-grep\//],
  splitting: true,
  minify: true,
  keepNames: true,
  clean: true,
  metafile: true,
  banner: {
    js: [
      "import './node-version.js'",
      "import { createRequire as __createRequire } from 'node:module'",
      "import { fileURLToPath as __fileURLToPath } from 'node:url'",
      'const require = __createRequire(import.meta.url)',
      "const __filename = __fileURLToPath(import.meta.url), __dirname = __fileURLToPath(new URL('.', import.meta.url))",
    ].join(';'),
  },
  esbuildPlugins: [slim, sdkFromSource],
  esbuildOptions: (options) => {
    options.mainFields = ['module', 'main']
    options.legalComments = 'none'
  },
})
