/**
 * Builds the program into `dist`: the bundle, its prepared contracts, the renderer of the
 * reference and the notices of all bundled software. Fails on a contract that cannot be served.
 * Writes the published documents that repeat the contract. Declarations take longer than all of it, and `types.ts` makes them.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutTexts } from '@support-chat/scripts/programs'
import { build } from 'tsup'
import { loadCheckedContract } from '../src/contract/check.ts'
import { formsOf } from '../src/contract/form.ts'
import { type Contract, loadContract, type Prepared } from '../src/contract/load.ts'
import { ERRORS, Problems } from '../src/contract/problems.ts'
import { Bindings } from '../src/sandbox/bindings.ts'
import { factsOf, publish } from '../src/sandbox/published.ts'
import { comparison } from './comparison.ts'
import { docs } from './docs.ts'
import { packageFolder, thirdPartyNotices } from './notices.ts'
import { loadApi } from './programs.ts'
import { readTemplates, textsOf } from './published.ts'
import { withSamples } from './reference.ts'
import { renderer } from './renderer.ts'

const root = new URL('../', import.meta.url)
const dist = new URL('dist/', root)
const contract = new URL('../openapi.yaml', root)
const scalar = packageFolder(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference')))
const htmx = packageFolder(fileURLToPath(import.meta.resolve('htmx.org')))

process.chdir(fileURLToPath(root))
const checked = await loadCheckedContract(fileURLToPath(contract))
const forms = formsOf(checked)
const bindings = new Bindings(forms)
const templates = readTemplates()
const published = publish(templates, bindings)
const control = await loadContract(published.control, '')
const admin = await loadContract(fileURLToPath(new URL('admin.yaml', root)), '')
const isPlain = new Problems(forms).isIdentity
const proven = [...bindings.identities, ...(isPlain ? [ERRORS] : [])]
for (const { where, field, detail } of forms.report.all) {
  process.stderr.write(`The sandbox deviates from the contract in ${where}: ${field} ${detail}.\n`)
}
for (const [name, text] of textsOf(factsOf(bindings))) writeFileSync(new URL(name, root), text)
await build({ silent: true, dts: false })

for (const store of ['sqlite', 'postgres']) {
  const migrations = new URL(`src/store/${store}/migrations/`, root)
  cpSync(migrations, new URL(`migrations/${store}/`, dist), { recursive: true })
}
copyFileSync(contract, new URL('openapi.yaml', dist))
copyFileSync(new URL('../sdks/behavior.yaml', root), new URL('openapi.behavior.yaml', dist))
const prepared = (contract: Contract, proven: string[]): Prepared => ({
  document: contract.description.document,
  operations: contract.operations,
  proven,
})
const write = (name: string, value: object) =>
  writeFileSync(new URL(name, dist), JSON.stringify(value))
write('contract.json', prepared(checked, proven))
write('control.json', prepared(control, []))
write('admin.json', prepared(admin, []))
write('templates.json', templates)
write('comparison.json', await comparison())
const api = await loadApi()
write('programs.json', withoutTexts(api))
write('reference.json', withSamples(checked.description.document, api))
write('docs.json', docs())
writeFileSync(new URL('reference.js', dist), renderer())
mkdirSync(new URL('dashboard/', dist), { recursive: true })
for (const name of ['base.css', 'style.css', 'live.js']) {
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
