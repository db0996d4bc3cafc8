/**
 * Builds the program into `dist`: the bundle, its prepared contracts, the renderer of the
 * reference and the notices of all bundled software. Fails on a contract that cannot be served.
 * Declarations take longer than all of it, and `types.ts` makes them.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { loadCheckedContract } from '../src/contract/check.ts'
import { loadContract } from '../src/contract/load.ts'
import { packageFolder, thirdPartyNotices } from './notices.ts'
import { renderer } from './renderer.ts'

const root = new URL('../', import.meta.url)
const dist = new URL('dist/', root)
const contract = new URL('../openapi.yaml', root)
const scalar = packageFolder(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')))
const htmx = packageFolder(fileURLToPath(import.meta.resolve('htmx.org')))

process.chdir(fileURLToPath(root))
const { operations } = await loadCheckedContract(fileURLToPath(contract))
const control = await loadContract(fileURLToPath(new URL('control.yaml', root)), '')
await build({ silent: true, dts: false })

cpSync(new URL('src/store/sqlite/migrations/', root), new URL('migrations/', dist), {
  recursive: true,
})
copyFileSync(contract, new URL('openapi.yaml', dist))
writeFileSync(new URL('operations.json', dist), JSON.stringify(operations))
writeFileSync(new URL('control.json', dist), JSON.stringify(control.operations))
writeFileSync(new URL('reference.js', dist), renderer())
mkdirSync(new URL('dashboard/', dist), { recursive: true })
for (const name of ['style.css', 'live.js']) {
  copyFileSync(new URL(`src/dashboard/${name}`, root), new URL(`dashboard/${name}`, dist))
}
copyFileSync(join(htmx, 'dist/htmx.min.js'), new URL('dashboard/htmx.js', dist))

copyFileSync(new URL('src/index.cjs', root), new URL('index.cjs', dist))
copyFileSync(new URL('src/node-version.js', root), new URL('node-version.js', dist))

const metafile = new URL('metafile-esm.json', dist)
const { inputs } = JSON.parse(readFileSync(metafile, 'utf8'))
writeFileSync(
  new URL('THIRD_PARTY_NOTICES', dist),
  thirdPartyNotices([...Object.keys(inputs).map(packageFolder), scalar, htmx]),
)
rmSync(metafile)
