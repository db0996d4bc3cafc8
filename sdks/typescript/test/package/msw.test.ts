// The mocks as users install them: the built package beside each major version of msw.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileOf } from '../../../../scripts/toolchain/packages.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folderOf = (file: string) => dirname(require.resolve(file))

const VERSIONS = {
  'msw 3': folderOf('msw/package.json'),
  'msw 2': dirname(fileOf('msw-2/package.json')),
}

/** A program of a user. It prints what it got. */
const PROGRAM = `
  const handlers = createHandlers()
  const server = setupServer(...handlers)
  server.listen()
  const client = new SupportChat({ apiKey: 'k', baseURL: 'http://api.test', maxRetries: 1 })
  const before = await client.conversations.get('conv_1')
  await client.conversations.messages.create('conv_1', { text: 'Hi' })
  const after = await client.conversations.get('conv_1')
  server.use(mock.conversations.get(fixtures.conversation({ status: 'open' }), { once: true }))
  const { status } = await client.conversations.get('conv_1')
  server.use(mock.conversations.get(respond.rateLimited({ retryAfter: 0.001 }), { once: true }))
  const { id } = await client.conversations.get('conv_1')
  server.use(mock.conversations.get(respond.notFound()))
  const error = await client.conversations.get('conv_1').catch((error) => error)
  const texts = after.transcript.slice(before.transcript.length).map(({ text }) => text)
  const result = [texts, status, id, error instanceof NotFoundError]
`
const PRINTED = [['Hi'], 'open', 'conv_1', true]

const IMPORTS: ReadonlyArray<[names: string, from: string]> = [
  ['SupportChat, NotFoundError', name],
  ['createHandlers, fixtures, mock, respond', `${name}/msw`],
  ['setupServer', 'msw/node'],
]
const esm = IMPORTS.map(([names, from]) => `import { ${names} } from '${from}'\n`).join('')
const cjs = IMPORTS.map(([names, from]) => `const { ${names} } = require('${from}')\n`).join('')

describe.each(Object.entries(VERSIONS))('the packed mocks with %s', (_, msw) => {
  let project = ''
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'msw-'))
    const installed = join(project, 'node_modules')
    const folder = join(installed, name)
    mkdirSync(folder, { recursive: true })
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
    symlinkSync(msw, join(installed, 'msw'), 'dir')
    symlinkSync(folderOf('vitest/package.json'), join(installed, 'vitest'), 'dir')
  })
  afterAll(() => rmSync(project, { recursive: true }))

  it.each([
    ['an ES module', 'main.mjs', `${esm}${PROGRAM}; console.log(JSON.stringify(result))`],
    [
      'a CommonJS module',
      'main.cjs',
      `${cjs};(async () => { ${PROGRAM}; console.log(JSON.stringify(result)) })()`,
    ],
  ])('run in %s', async (_, file, code) => {
    writeFileSync(join(project, file), code)
    const { stdout } = await run(process.execPath, [file], { cwd: project })
    expect(JSON.parse(stdout)).toEqual(PRINTED)
  })

  it('run in Vitest', async () => {
    const file = 'main.test.mjs'
    const test = `test('the mocks', async () => { ${PROGRAM}; expect(result).toEqual(${JSON.stringify(PRINTED)}) })`
    writeFileSync(join(project, file), `${esm}import { expect, test } from 'vitest'\n${test}`)
    const vitest = join(project, 'node_modules/vitest/vitest.mjs')
    const { stdout } = await run(process.execPath, [vitest, 'run', file], {
      cwd: project,
      env: { ...process.env, VITEST: '' },
    })
    expect(stdout).toMatch(/1 passed/)
  })

  it('are imported by a browser, without anything of Node.js', async () => {
    const imports = esm.split('\n').slice(0, 2).join('\n')
    const contents = `${imports}; import { setupWorker } from 'msw/browser'; console.log(SupportChat, NotFoundError, fixtures, mock, respond, setupWorker(...createHandlers()))`
    const { outputFiles, warnings } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    })
    expect(warnings).toEqual([])
    expect(outputFiles[0]?.text).not.toMatch(/from ?["']node:/)
  })
})
