import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileOf } from '../../../../scripts/toolchain/packages.ts'
import { VERSION } from '../../src/index.js'
import { budgets, bundle, countOperations, sizeOf } from './size.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const attw = fileOf('@arethetypeswrong/cli/dist/index.js')
const require = createRequire(import.meta.url)
const tsc = require.resolve('typescript/bin/tsc')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entries = {
  '.': 'index',
  './raw': 'raw',
  './webhooks': 'webhooks',
  './webhooks/node': 'webhooks-node',
  './webhooks/fetch': 'webhooks-fetch',
  './webhooks/redis': 'webhooks-redis',
  './webhooks/postgres': 'webhooks-postgres',
  './webhooks/sqlite': 'webhooks-sqlite',
  './webhooks/fastify': 'webhooks-fastify',
  './webhooks/koa': 'webhooks-koa',
  './webhooks/lambda': 'webhooks-lambda',
  './opentelemetry': 'opentelemetry',
  './testing': 'testing',
  './msw': 'msw',
}

/** The types that an entry takes from others: of the platform, or of an optional peer. */
const FOREIGN_TYPES: Readonly<Record<string, string[]>> = {
  'webhooks-node': ['node:http'],
  'webhooks-fastify': ['node:http'],
  'webhooks-koa': ['node:http'],
  msw: ['msw'],
}

/** The webhooks without the memory store, which most receivers replace. */
const VERIFIER = '{ Webhooks, WebhookVerificationError, isUnknownEvent, eventKinds }'
const WITH_STORE = VERIFIER.replace(' }', ', MemoryDedupeStore }')

describe('the package as it is published', () => {
  let project = ''
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'consumer-'))
    const folder = join(project, 'node_modules', manifest.name)
    mkdirSync(folder, { recursive: true })
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  })
  afterAll(() => rmSync(project, { recursive: true }))

  it('holds one version', () => {
    expect(VERSION).toBe(manifest.version)
  })

  it('installs nothing beside itself', () => {
    expect(manifest).not.toHaveProperty('dependencies')
    const isOptional = (name: string) => manifest.peerDependenciesMeta[name]?.optional
    expect(Object.keys(manifest.peerDependencies).filter((name) => !isOptional(name))).toEqual([])
  })

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: root, strict: true })
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
  })

  it('has the right types for every way of importing it', async () => {
    await run(process.execPath, [attw, '--pack', '.', '--profile', 'node16'], { cwd: root })
  }, 60_000)

  it('is imported by the names that are tested here', () => {
    const { './package.json': _, ...exported } = manifest.exports
    expect(Object.keys(exported)).toEqual(Object.keys(entries))
  })

  it.each(Object.values(entries).flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]))(
    'declares everything that %s needs itself',
    (name) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, 'dist', name), 'utf8'))
      const others = importedFiles.filter(({ fileName }) => !fileName.startsWith('./'))
      const [entry = ''] = name.split('.')
      expect(others.map(({ fileName }) => fileName)).toEqual(FOREIGN_TYPES[entry] ?? [])
    },
  )

  it.each(['nodenext', 'bundler'])(
    'compiles in an empty project without skipLibCheck (%s)',
    async (moduleResolution) => {
      const source = `
        import { SupportChat, type Conversation } from '${manifest.name}'
        import { createRawClient } from '${manifest.name}/raw'
        import { fakeDelivery, fakeEvent } from '${manifest.name}/testing'
        import { MemoryDedupeStore, Webhooks } from '${manifest.name}/webhooks'
        import { webhookHandler } from '${manifest.name}/webhooks/fetch'
        export const client: SupportChat = new SupportChat({ apiKey: 'k' })
        export const conversation: Promise<Conversation> = client.conversations.get('a')
        export const { data } = await client.raw.GET('/v1/conversations')
        const raw = createRawClient(client)
        raw.use({ onResponse: ({ response }) => new Response(response.body, response) })
        const found = await raw.GET('/v1/conversations/{id}', { params: { path: { id: 'a' } } })
        export const same: Conversation | undefined = found.data
        export const webhooks = new Webhooks('secret')
        const store = new MemoryDedupeStore()
        export const receive = webhookHandler(webhooks, ({ event }) => console.log(event), { store })
        const delivery = await fakeDelivery('future', { secret: 'secret' })
        await receive(new Request('http://localhost/', { method: 'POST', ...delivery }))
        export const made: Record<string, unknown> = fakeEvent('future').data
      `
      const folder = join(project, moduleResolution)
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      writeFileSync(join(folder, 'main.ts'), source)
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
      const flags = [
        '--strict',
        '--noEmit',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom,dom.iterable',
      ]
      const args = [...flags, '--module', module, '--moduleResolution', moduleResolution, 'main.ts']
      const { stdout } = await run(process.execPath, [tsc, ...args], { cwd: folder }).catch(
        (error) => error,
      )
      expect(stdout).toBe('')
    },
    60_000,
  )

  const loaders = {
    'ES modules': (name: string) => import(join(root, `dist/${name}.js`)),
    CommonJS: async (name: string) => require(`../../dist/${name}.cjs`),
  }

  it.each(Object.entries(loaders))(
    'recognises its errors across entries, as %s',
    async (_, load) => {
      const [client, webhooks, fetching, testing] = await Promise.all(
        ['index', 'webhooks', 'webhooks-fetch', 'testing'].map(load),
      )
      const { Webhooks, WebhookVerificationError } = webhooks
      expect(WebhookVerificationError.prototype).toBeInstanceOf(client.SupportChatError)
      expect(() => testing.fakeEvent('a.b')).toThrow(client.SupportChatError)
      const unsigned = testing.fakeDelivery('future', { secret: '' })
      await expect(unsigned).rejects.toBeInstanceOf(WebhookVerificationError)

      // Refused by the verifier, and by the receiver itself.
      const errors: unknown[] = []
      const onError = (error: unknown) => errors.push(error)
      const verifier = new Webhooks('secret', { maxBodyBytes: 10 })
      const receive = fetching.webhookHandler(verifier, () => {}, { onError })
      const post = (body: string) => new Request('http://localhost/', { method: 'POST', body })
      expect((await receive(post('{}'))).status).toBe(401)
      expect((await receive(post(' '.repeat(11)))).status).toBe(413)
      expect(errors).toEqual(Array(2).fill(expect.any(WebhookVerificationError)))
    },
  )

  it.each(Object.entries(entries))(
    'exports from %s every value that it declares, by a name that users can read',
    async (_, name) => {
      const path = join(root, 'dist', `${name}.d.ts`)
      const program = ts.createProgram([path], { skipLibCheck: true })
      const checker = program.getTypeChecker()
      const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.Node)
      const values = checker.getExportsOfModule(module as ts.Symbol).flatMap((symbol) => {
        const target =
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
        expect(target.name).not.toContain('$') // a hover would show it
        return target.flags & ts.SymbolFlags.Value ? [symbol.name] : []
      })
      expect(Object.keys(require(`../../dist/${name}.cjs`)).sort()).toEqual(values.sort())
    },
    60_000,
  )

  it.each([
    ['the client', '*', '', 9_700, budgets.client],
    ['the webhooks', VERIFIER, '/webhooks', 3_240, budgets.webhooks],
    [
      'the webhooks with the memory store',
      WITH_STORE,
      '/webhooks',
      3_560,
      budgets.webhooksWithStore,
    ],
    ['all of the webhooks', '*', '/webhooks', 4_140, budgets.webhooksWithReceiver],
  ])('keeps %s within its size', async (_, exports, entry, today, budget) => {
    const { SupportChat } = await loaders['ES modules']('index')
    const { eventKinds } = await loaders['ES modules']('webhooks')
    const client = new SupportChat({ apiKey: 'k', baseURL: 'http://localhost' })
    const contract = { operations: countOperations(client), events: eventKinds.length }
    const { gzipped } = await sizeOf(`${exports} from '${manifest.name}${entry}'`, project)
    expect(gzipped).toBeLessThanOrEqual(budget(contract))
    expect(budget({ operations: 5, events: 6 })).toBe(today)
  })

  it.each([
    ['Webhooks', ['createHmac'], ['in_progress', 'already has a handler']],
    ['WebhookReceiver', ['in_progress'], ['createHmac', 'already has a handler']],
    ['WebhookRouter', ['already has a handler'], ['createHmac', 'in_progress']],
    ['MemoryDedupeStore', ['in_progress'], ['createHmac', 'already has a handler']],
    ['WebhookVerificationError', [], ['createHmac', 'in_progress', 'already has a handler']],
    ['isUnknownEvent', [], ['createHmac', 'in_progress', 'sha256=']],
  ])('leaves all others out of a bundle with %s', async (name, parts, others) => {
    const code = await bundle(`{ ${name} } from '${manifest.name}/webhooks'`, project)
    const text = Buffer.from(code).toString()
    const found = [...parts, ...others].filter((part) => text.includes(part))
    expect(found).toEqual(parts)
  })
})
