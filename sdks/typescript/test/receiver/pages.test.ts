import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bun, deno, fileOf } from '../../../../scripts/toolchain/packages.ts'
import { Miniflare } from '../../../../toolchains/miniflare.ts'
import { fakeDelivery } from '../../src/testing/index.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const DOCS = join(ROOT, 'docs/webhooks')
const SECRET = 'whsec_test'

interface Program {
  page: string
  file: string
  code: string
  command: string | undefined
}

const list = await readFile(join(DOCS, 'typescript.md'), 'utf8')
const pages = Array.from(list.matchAll(/\]\(([\w-]+\.md)\)/g), ([, page = '']) => page)
const programs: Program[] = []
for (const page of pages) {
  const text = await readFile(join(DOCS, page), 'utf8')
  for (const [, code = ''] of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    const [, file = '', command] = /^\/\/ ([\w.]+)(?:, started with: (.*))?/.exec(code) ?? []
    programs.push({ page, file, code, command })
  }
}

/** What the pages leave to their readers, and what calls those that are not programs. */
const FILES = {
  'package.json': '{ "type": "module" }',
  'shop.ts': `import type { WebhookEvent } from '@support-chat/sdk/webhooks'
export async function handle(event: WebhookEvent): Promise<void> {
  if (event.event === 'conversation.handoff') console.log('handled ' + event.id)
}`,
  'app.module.ts': `import 'reflect-metadata'
import { Module } from '@nestjs/common'
export class AppModule {}
Module({})(AppModule)`,
}

const CALLERS: Record<string, string> = {
  'lambda.ts': `import { serve } from '@hono/node-server'
import { handler } from './lambda.ts'
const fetch = async (request: Request) => {
  const { method, headers } = request
  const event = {
    requestContext: { http: { method } },
    headers: Object.fromEntries(headers),
    body: Buffer.from(await request.arrayBuffer()).toString('base64'),
    isBase64Encoded: true,
  }
  const { statusCode, ...rest } = await handler(event)
  return new Response(null, { status: statusCode, headers: rest.headers })
}
serve({ fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })`,
  'webhooks.ts': `import { serve } from '@hono/node-server'
import { createRequestHandler } from 'react-router'
import { action } from './webhooks.ts'
const routes = { webhooks: { id: 'webhooks', path: '/webhooks', module: { action } } }
const handle = createRequestHandler({
  assets: { routes: {}, entry: {}, url: '', version: '' },
  routes,
  entry: { module: {} },
  future: {},
  basename: '/',
  ssr: true,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
} as never)
serve({ fetch: (request) => handle(request), port: Number(process.env.PORT), hostname: '127.0.0.1' })`,
}

const folders: string[] = []

/** A folder with a program, its handler and the packages that it imports. */
async function project(files: Record<string, string>, links = linkPackages): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'page-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  await links(join(folder, 'node_modules'))
  return folder
}

const installed = dirname(dirname(fileOf('hono/package.json')))

/** A program in one file of JavaScript, with all that it imports. */
async function bundled(file: string, conditions: string[] = []): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
    conditions,
  })
  return outputFiles[0]?.text ?? ''
}

async function linkPackages(modules: string): Promise<void> {
  await mkdir(modules)
  for (const name of await readdir(installed)) {
    if (!name.startsWith('.')) await symlink(join(installed, name), join(modules, name))
  }
  await symlink(join(ROOT, 'node_modules/@support-chat'), join(modules, '@support-chat'))
}

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a command; resolves when it responds. */
async function started(folder: string, command: string, path = '/webhooks') {
  const port = await unusedPort()
  const bins = [process.execPath, deno(), bun()].map((program) => dirname(program))
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [...bins, process.env.PATH].join(delimiter),
      PORT: `${port}`,
      SUPPORT_CHAT_WEBHOOK_SECRET: SECRET,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      log += part
    })
  }
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}${path}`
  const status = (init?: RequestInit) => fetch(url, init).then((response) => response.status)
  await expect.poll(() => status().catch(() => log), { timeout: 40_000 }).toBeTypeOf('number')
  return { log: () => log, status }
}

/** Builds an application. */
async function built(folder: string, args: string[]): Promise<void> {
  const env = { ...process.env, SUPPORT_CHAT_WEBHOOK_SECRET: SECRET, NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'pipe' })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      log += part
    })
  }
  const [code] = await once(child, 'exit')
  expect(code, log).toBe(0)
}

type Status = (init?: {
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
  method: string
}) => unknown

async function receives(status: Status, log?: () => string): Promise<void> {
  const overrides = { id: 'evt_1' }
  const right = await fakeDelivery('conversation.handoff', { secret: SECRET, overrides })
  const forged = await fakeDelivery('conversation.handoff', { secret: 'whsec_other' })
  const future = await fakeDelivery('future', { secret: SECRET })
  const post = (delivery: typeof right) => status({ method: 'POST', ...delivery })
  expect(await post(right)).toBe(204)
  expect(await post(forged)).toBe(401)
  expect(await post(future)).toBe(204)
  await expect.poll(log ?? (() => 'handled evt_1')).toContain('handled evt_1')
}

/** Pages whose programs need more than a file that calls them. */
const BUILT = ['nextjs.md', 'sveltekit.md', 'workers.md']

describe('the program of a page about a framework', () => {
  const runnable = programs.filter(({ page }) => !BUILT.includes(page))

  test.each(runnable)('receives: $page', async ({ file, code, command }) => {
    const folder = await project({ ...FILES, [file]: code, 'caller.ts': CALLERS[file] ?? '' })
    const { status, log } = await started(folder, command ?? 'node caller.ts')
    await receives(status, log)
  })

  test('receives: workers.md', async () => {
    const { file = '', code = '' } = programs.find(({ page }) => page === 'workers.md') ?? {}
    const folder = await project({ ...FILES, [file]: code })
    const contents = await bundled(join(folder, file), ['workerd', 'worker', 'browser'])
    const worker = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.js', contents }],
      compatibilityDate: '2026-07-30',
      bindings: { SUPPORT_CHAT_WEBHOOK_SECRET: SECRET },
    })
    onTestFinished(() => worker.dispose())
    await receives(async (init) => (await worker.dispatchFetch('http://a/', init)).status)
  })

  test('receives: sveltekit.md', async () => {
    const { code = '' } = programs.find(({ page }) => page === 'sveltekit.md') ?? {}
    const folder = await project({
      'package.json': FILES['package.json'],
      'vite.config.ts': `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit({ adapter: adapter() })] }`,
      'src/app.html': '%sveltekit.head%%sveltekit.body%',
      'src/lib/shop.ts': FILES['shop.ts'],
      'src/routes/webhooks/+server.ts': code,
    })
    await built(folder, [fileOf('vite/bin/vite.js'), 'build'])
    const page = await readFile(join(DOCS, 'sveltekit.md'), 'utf8')
    const [, limit = ''] = /`(BODY_SIZE_LIMIT=\w+)`/.exec(page) ?? []
    const { status, log } = await started(folder, `env HOST=127.0.0.1 ${limit} node build`)
    await receives(status, log)
    const large = await fakeDelivery('conversation.handoff', {
      secret: SECRET,
      overrides: { data: { reason: 'x'.repeat(1_000_000) } },
    })
    expect(await status({ method: 'POST', ...large })).toBe(204)
  }, 120_000)

  describe('receives: nextjs.md', () => {
    let folder = ''
    beforeAll(async () => {
      const [app, pages] = programs.filter(({ page }) => page === 'nextjs.md')
      const sources = await project({
        ...FILES,
        'app/webhooks/route.ts': app?.code ?? '',
        'pages/api/webhooks.ts': pages?.code ?? '',
      })
      // Without TypeScript, for which Next.js would install packages.
      const files = {
        'package.json': FILES['package.json'],
        'app/layout.js': 'export default ({ children }) => children',
        'app/webhooks/route.js': await bundled(join(sources, 'app/webhooks/route.ts')),
        'pages/api/webhooks.js': await bundled(join(sources, 'pages/api/webhooks.ts')),
      }
      folder = await project(files, (modules) => symlink(installed, modules))
      await built(folder, [fileOf('next/dist/bin/next'), 'build', '--webpack'])
    }, 120_000)

    test.each(['/webhooks', '/api/webhooks'])('at %s', async (path) => {
      const next = fileOf('next/dist/bin/next')
      const command = `node ${next} start --hostname 127.0.0.1 --port $PORT`
      const { status, log } = await started(folder, command, path)
      await receives(status, log)
    })
  })
})

test('every page that is listed has a program', () => {
  expect(pages.length).toBeGreaterThan(0)
  expect(new Set(programs.map(({ page }) => page))).toEqual(new Set(pages))
})

test('the list names the versions that the tests run', async () => {
  const tested = [
    'express-4',
    'fastify-4',
    'fastify',
    'koa-2',
    'koa',
    'hono',
    'next',
    'react-router',
    'older/node_modules/next',
    'older/node_modules/@nestjs/platform-express',
    'older/node_modules/@nestjs/platform-fastify',
    '@sveltejs/kit',
  ]
  const more = ['@nestjs/platform-express', '@nestjs/platform-fastify', 'workerd', 'deno', 'bun']
  for (const name of [...tested, ...more]) {
    const { version } = JSON.parse(await readFile(fileOf(`${name}/package.json`), 'utf8'))
    expect(list, name).toContain(version)
  }
})
