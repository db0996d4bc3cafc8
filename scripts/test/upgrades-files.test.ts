// The rules as files: what ast-grep makes of programs with them is what the library makes of them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../changes/types.ts'
import { fileOf } from '../toolchain/packages.ts'
import { AST_GREP, documentsOf, SETTINGS } from '../upgrades/rules/files.ts'
import { findings, rewrite } from '../upgrades/rules/index.ts'
import { EXTENSIONS, readCases } from './upgrades/corpus.ts'

const CLI = fileOf('@ast-grep/cli/ast-grep')

// The witnesses of errors have one type of problem in common, so that a rule of one concerns all.
const cases = (await readCases()).filter(({ kind }) => !/^error-f/.test(kind))
const folder = mkdtempSync(join(tmpdir(), 'rules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(LANGUAGES)('%s', (language) => {
  const rules = cases.flatMap((one) => one.rules[language]).filter(({ fix }) => fix !== undefined)
  const file = join(folder, `${language}.yml`)
  const pathOf = (kind: string) => join(folder, `${kind}.${EXTENSIONS[language]}`)

  function scan(): void {
    const args = [CLI, 'scan', '--rule', file, '--update-all', folder]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  }

  it('each rewrites the program of its change, and no other', async () => {
    writeFileSync(file, documentsOf(rules))
    for (const { kind, sources } of cases) writeFileSync(pathOf(kind), sources[language] ?? '')
    scan()
    const rewritten = new Map(cases.map(({ kind }) => [kind, readFileSync(pathOf(kind), 'utf8')]))
    for (const one of cases) {
      const source = one.sources[language] ?? ''
      const hits = await findings(one.rules[language], language, source)
      expect(rewritten.get(one.kind), one.kind).toBe(rewrite(source, hits))
    }
    scan()
    for (const [kind, text] of rewritten) expect(readFileSync(pathOf(kind), 'utf8')).toBe(text)
  })
})

it('one command rewrites programs of all languages, JavaScript too', async () => {
  const root = mkdtempSync(join(folder, 'all-'))
  const kind = 'response-field-renamed-kept'
  const one = cases.find((each) => each.kind === kind)
  if (!one) throw new Error(`No witness is called ${kind}.`)
  mkdirSync(join(root, 'rules'))
  writeFileSync(join(root, 'sgconfig.yml'), SETTINGS)
  const scripts = {
    'required.cjs':
      "const { Shop } = require('@shop/sdk')\nasync function call(client) {\n  const order = await client.responseFieldRenamedKept.get('ord_1')\n  return order.total\n}\n",
    'imported.mjs':
      "import { Shop as Client } from '@shop/sdk'\nconst sc = new Client()\nconst { total } = await sc.responseFieldRenamedKept.get('ord_1')\n",
    'elsewhere.js':
      "import { orders } from './db.js'\nconst { total } = await orders.get('ord_1')\n",
  }
  for (const [file, text] of Object.entries(scripts)) writeFileSync(join(root, file), text)
  for (const language of LANGUAGES) {
    const rules = one.rules[language].filter(({ fix }) => fix !== undefined)
    writeFileSync(join(root, `rules/${language}.yml`), documentsOf(rules))
    writeFileSync(join(root, `caller.${EXTENSIONS[language]}`), one.sources[language] ?? '')
  }
  const args = [CLI, 'scan', '--config', join(root, 'sgconfig.yml'), '--update-all', root]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  for (const language of LANGUAGES) {
    const text = read(`caller.${EXTENSIONS[language]}`)
    expect(text).toMatch(/\.amount/i)
    expect(text).not.toMatch(/\.total/i)
  }
  expect(read('required.cjs')).toContain('return order.amount')
  expect(read('imported.mjs')).toContain('const { amount: total }')
  expect(read('elsewhere.js')).toBe(scripts['elsewhere.js'])
})

it('the page names the release of ast-grep that these tests use', () => {
  const { version } = JSON.parse(readFileSync(fileOf('@ast-grep/cli/package.json'), 'utf8'))
  expect(AST_GREP).toBe(`@ast-grep/cli@${version}`)
})
