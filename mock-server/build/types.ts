/** Adds to `dist` the declarations of what users import, with all that they refer to inside. */
import { copyFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const root = new URL('../', import.meta.url)
const dist = new URL('dist/', root)

process.chdir(fileURLToPath(root))
await build({ silent: true, clean: false, dts: { entry: 'src/index.ts', only: true } })
copyFileSync(new URL('index.d.ts', dist), new URL('index.d.cts', dist))
