/** Adds the declarations of the public API to `dist`, with all types that they refer to. */
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const root = new URL('../', import.meta.url)
const dist = new URL('dist/', root)

// The SDK's types from its source, as a part of ours: users of these may not have the SDK.
const paths = { '@support-chat/sdk/*': ['../sdks/typescript/src/*/index.ts'] }

process.chdir(fileURLToPath(root))
const compilerOptions = { baseUrl: fileURLToPath(root), paths }
await build({
  silent: true,
  clean: false,
  dts: { entry: 'src/index.ts', only: true, compilerOptions },
})
copyFileSync(new URL('index.d.ts', dist), new URL('index.d.cts', dist))
