/** The published package, installed into an empty folder, on every Node.js that it supports. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileOf, nodeOf } from '../../scripts/toolchain/packages.ts'
import { AUTH } from './support.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NODES: [version: string, path: string][] = [
  ['22', nodeOf(22)],
  ['24', process.execPath],
]

describe('the packed package', () => {
  let folder: string
  let files: string[]
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'package-'))
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const [packed] = JSON.parse((await execute('npm', args, { cwd: ROOT })).stdout)
    files = packed.files.map(({ path }: { path: string }) => path)
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    await execute(
      'npm',
      ['install', '--offline', '--ignore-scripts', join(folder, packed.filename)],
      {
        cwd: folder,
      },
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const environment = (node: string) => ({
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
  })
  const runScript = (node: string, name: string, code: string) => {
    writeFileSync(join(folder, name), code)
    return execute(node, [name], { cwd: folder })
  }

  it('contains only the files that it needs', () => {
    expect(files.map((path) => path.replace(/-[A-Z0-9]{8}\./, '-*.')).sort()).toEqual(
      expect.arrayContaining([
        'README.md',
        'dist/THIRD_PARTY_NOTICES',
        'dist/index.cjs',
        'dist/index.d.cts',
        'dist/index.d.ts',
        'dist/index.js',
        'dist/openapi.yaml',
        'dist/reference.js',
        'package.json',
      ]),
    )
    expect(files.filter((path) => !/^(?:dist|site)\//.test(path)).sort()).toEqual([
      'AGENTS.md',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin.js',
      'certify.schema.json',
      'control.yaml',
      'package.json',
      'scenario.schema.json',
      'scenarios/handoff.yaml',
      'seed.schema.json',
      'seeds/shop.yaml',
      'skill/SKILL.md',
    ])
    const installed = join(folder, 'node_modules', '@support-chat', 'mock-server')
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
    const notices = readFileSync(join(installed, 'dist/THIRD_PARTY_NOTICES'), 'utf8')
    for (const name of [
      '@stoplight/prism-http 5',
      '@redocly/openapi-core 2',
      'ajv 8',
      'commander 15',
    ]) {
      expect(notices).toContain(`\n${name}`)
    }
  })

  it('passes publint, and has the right types for every way of importing it', async () => {
    const { messages, pkg } = await publint({ pkgDir: ROOT, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
    const attw = fileOf('@arethetypeswrong/cli/dist/index.js')
    await execute(process.execPath, [attw, '--pack', '.', '--profile', 'node16'], { cwd: ROOT })
  })

  it.each(NODES)('serves through npx on Node.js %s', async (_, node) => {
    const args = ['--no-install', 'support-chat-mock', 'serve', '--port', '0']
    const child = spawn('npx', args, { cwd: folder, env: environment(node), detached: true })
    let stdout = ''
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const url = await new Promise<string>((resolve, reject) => {
      child.on('close', () => reject(new Error(stderr)))
      child.stdout.on('data', (chunk) => {
        stdout += chunk
        const found = /^Listening on (\S+)\n/.exec(stdout)?.[1]
        if (found) resolve(found)
      })
    })
    const response = await fetch(`${url}/v1/conversations`, { headers: AUTH })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    expect((await fetch(`${url}/reference/renderer.js`, { method: 'HEAD' })).status).toBe(200)
    const { data } = await (await fetch(`${url}/_mock/requests`, { headers: AUTH })).json()
    for (const [language, call] of [
      ['curl', '/v1/conversations'],
      ['typescript', 'client.conversations.list('],
      ['python', 'client.conversations.list('],
      ['ruby', 'client.conversations.list'],
      ['go', 'client.Conversations.List('],
    ]) {
      const program = `${url}/_mock/requests/${data[0].id}?as=${language}`
      const written = await fetch(program, { headers: AUTH })
      expect(await written.text(), language).toContain(call)
    }
    const closed = new Promise((resolve) => child.on('close', resolve))
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
    await closed
    // npm's warnings about its own settings do not concern this package.
    expect(stderr.replace(/^npm .*\n/gm, '')).toBe('')
  })

  it('names the Node.js that it needs when npx runs it on Node.js 20', async () => {
    const args = ['--no-install', 'support-chat-mock', 'serve']
    const failure = await execute('npx', args, { cwd: folder, env: environment(nodeOf(20)) }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    expect(failure).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('needs Node.js 22.13 or newer; this is 20.'),
    })
  })

  it('names the Node.js that it needs when it is imported on Node.js 20', async () => {
    const code = "import '@support-chat/mock-server'"
    const failure = await runScript(nodeOf(20), 'old.mjs', code).catch((error) => error)
    expect(failure.stderr).toContain('Error: The mock server needs Node.js 22.13 or newer.')
    expect(failure.stderr.length).toBeLessThan(1_000)
  })

  it.each(NODES)('can be imported and required on Node.js %s', async (_, node) => {
    const use = `createMockServer().then(async (mock) => {
      const headers = { authorization: 'Bearer ' + mock.apiKey }
      const response = await fetch(mock.url + '/v1/analytics', { headers })
      console.log(response.status)
      await mock.close()
    })`
    const esm = `import { createMockServer } from '@support-chat/mock-server'\n${use}`
    const cjs = `const { createMockServer } = require('@support-chat/mock-server')\n${use}`
    // There is no warning about experimental features either.
    const clean = { stdout: '200\n', stderr: '' }
    expect(await runScript(node, 'use.mjs', esm)).toEqual(clean)
    expect(await runScript(node, 'use.cjs', cjs)).toEqual(clean)
  })

  it.each(NODES)(
    'signs and verifies webhooks with the bundled SDK on Node.js %s',
    async (_, node) => {
      const bin = join(folder, 'node_modules/@support-chat/mock-server/bin.js')
      const options = { cwd: folder, env: { ...process.env, SECRET: 'whsec_3hV0c1p2Jt6bqX8d' } }
      const run = (...args: string[]) =>
        execute(node, [bin, ...args, '--secret-env', 'SECRET', '--body', 'event.json'], options)
      const event = { event: 'a', id: 'b', occurred_at: '2026-03-02T09:21:48Z', data: {} }
      writeFileSync(join(folder, 'event.json'), JSON.stringify(event))
      writeFileSync(join(folder, 'headers.txt'), (await run('sign')).stdout)
      expect((await run('verify', '--header', '@headers.txt')).stdout).toMatch(/^ok\n/)
      writeFileSync(join(folder, 'event.json'), JSON.stringify(event, null, 2))
      const refused = await run('verify', '--header', '@headers.txt').catch((error) => error)
      expect(refused).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(
          /^signature_mismatch\nThe body was parsed and re-serialized\./,
        ),
      })
    },
  )

  it.each(NODES)('checks an integration on Node.js %s', async (_, node) => {
    const bin = join(folder, 'node_modules/@support-chat/mock-server/bin.js')
    const check = (...args: string[]) =>
      execute(node, [bin, 'check-integration', ...args], { cwd: folder }).catch((error) => error)
    const fixture = (name: string) => join(ROOT, 'test/fixtures/integration', name)
    const shop = ['--from', fixture('old.yaml'), '--contract', fixture('new.yaml')]
    const broken = await check(...shop, '--traffic', fixture('chromium.har'))
    expect(broken).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('4 changes (3 silently wrong) hit 3 recorded exchanges.'),
      stderr: '',
    })
    const own = join(folder, 'node_modules/@support-chat/mock-server/dist/openapi.yaml')
    const same = await check('--contract', own, '--traffic', fixture('chromium.har'))
    expect(same).toMatchObject({ stdout: expect.stringContaining('No change hits'), stderr: '' })

    // The parsers of programs are not installed.
    mkdirSync(join(folder, 'program'), { recursive: true })
    const program = `from support_chat import SupportChat\nSupportChat().orders.list(colour="red")\n`
    writeFileSync(join(folder, 'program/app.py'), program)
    expect(await check('program', ...shop)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('npm install --save-dev @ast-grep/napi @ast-grep/lang-'),
    })
    // Now they are, beside the package.
    const parsers = join(folder, 'node_modules/@ast-grep')
    symlinkSync(fileURLToPath(new URL('../../node_modules/@ast-grep', import.meta.url)), parsers)
    const read = await check('program', ...shop).finally(() => rmSync(parsers))
    expect(read).toMatchObject({ stdout: expect.stringContaining('(python 1)'), stderr: '' })
    expect(read.stdout).toContain('program/app.py:2:')
  })

  it.each([
    ['seed', ['serve', '--seed', 'wrong.yaml'], 1, 'conversation is unknown. Remove it'],
    ['scenario', ['trigger', '--scenario', 'wrong.yaml'], 2, 'conversation is unknown. Remove it'],
  ])('locates an error in a %s with the bundled reader', async (_, args, code, message) => {
    const bin = join(folder, 'node_modules/@support-chat/mock-server/bin.js')
    writeFileSync(join(folder, 'wrong.yaml'), 'conversations: []\nsteps: []\nconversation: []\n')
    const failure = await execute(process.execPath, [bin, ...args], { cwd: folder }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    expect(failure).toMatchObject({
      code,
      stderr: expect.stringContaining(`wrong.yaml:3:1: ${message}`),
    })
  })

  it.each(NODES)('can be required where `import` does not work, on Node.js %s', async (_, node) => {
    const jail = `const { readFileSync } = require('node:fs')
const { runInNewContext } = require('node:vm')
const file = require.resolve('@support-chat/mock-server')
const inside = require('node:module').createRequire(file)
const exported = {}
runInNewContext('(exports, require) => {' + readFileSync(file) + '}')(exported, inside)
exported.createMockServer().then((mock) => mock.close()).then(() => console.log('closed'))`
    expect(await runScript(node, 'jail.cjs', jail)).toMatchObject({ stdout: 'closed\n' })
  })

  it('has types for modules and for CommonJS, with `skipLibCheck` off', async () => {
    mkdirSync(join(folder, 'types'), { recursive: true })
    const esm = `import { createMockServer, type MockServer } from '@support-chat/mock-server'
const mock: MockServer = await createMockServer({ port: 0 })
const url: string = mock.url
// @ts-expect-error it is no number
const wrong: number = mock.apiKey
await mock.fetch(url + wrong)
`
    const cjs = `import mockServer = require('@support-chat/mock-server')
mockServer.createMockServer({ contract: 'a.yaml' }).then((mock) => mock.close())
`
    writeFileSync(join(folder, 'types/esm.mts'), esm)
    writeFileSync(join(folder, 'types/cjs.cts'), cjs)
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
    }
    writeFileSync(join(folder, 'types/tsconfig.json'), JSON.stringify({ compilerOptions }))
    const tsc = fileURLToPath(new URL('../lib/tsc.js', import.meta.resolve('typescript')))
    const args = [tsc, '-p', 'types']
    expect((await execute(process.execPath, args, { cwd: folder })).stdout).toBe('')
  })
})
