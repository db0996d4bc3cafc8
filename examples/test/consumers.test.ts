import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { compile } from './compile.ts'
import { repository } from './packages.ts'
import { output } from './processes.ts'
import { shownIn } from './readme.ts'
import { runtimes } from './runtimes.ts'
import { ownSandbox } from './sandboxes.ts'

const project = inject('project')
const consumers = path.join(repository, 'examples/test/consumers')
const example = path.join(repository, 'examples/typescript')
const nodes = ['Node 20', 'Node 22', 'Node 24'] as const

test('installing the packages brings nothing beside them', async () => {
  const installed = await readdir(path.join(project, 'node_modules'))
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@support-chat'])
  const packages = await readdir(path.join(project, 'node_modules/@support-chat'))
  expect(packages.sort()).toEqual(['mock-server', 'sdk'])
})

test.for(nodes)('what is called %s is that release', async (name, { expect }) => {
  const version = await output([...runtimes[name](), '--version'], { cwd: project })
  expect(version.split('.')[0]).toBe(name.replace('Node ', 'v'))
})

describe('JavaScript', () => {
  const folder = path.join(project, 'javascript')

  beforeAll(async () => {
    await cp(consumers, folder, { recursive: true })
    for (const name of ['vectors.json', 'receivers.json']) {
      await cp(path.join(repository, 'sdks/conformance/webhooks', name), path.join(folder, name))
    }
  })

  test.for(nodes)('%s returns the expected status for every vector', async (node, { expect }) => {
    const printed = await output([...runtimes[node](), 'vectors.mjs'], { cwd: folder })
    expect(printed).toBe('all vectors\n')
  })

  for (const [runtime, command] of Object.entries(runtimes)) {
    test.for([
      ['import', 'esm.mjs'],
      ['require', 'cjs.cjs'],
    ] as const)(`${runtime} loads the SDK with %s`, async ([, file], { expect }) => {
      const printed = await output([...command(), file], { cwd: folder, env: ownSandbox() })
      expect(printed).toBe(await readFile(path.join(consumers, 'expected.txt'), 'utf8'))
    })
  }
})

/** How a TypeScript project may be set up. */
const setups = [
  { name: 'nodenext, an ES module', type: 'module', options: { module: 'nodenext' } },
  { name: 'nodenext, CommonJS', type: 'commonjs', options: { module: 'nodenext' } },
  {
    name: 'bundler',
    type: 'module',
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
]

describe.for(setups)('TypeScript with $name', ({ name, type, options }) => {
  const folder = path.join(project, 'typescript', name.replaceAll(/\W+/g, '-'))

  beforeAll(async () => {
    await cp(path.join(example, 'src'), path.join(folder, 'src'), { recursive: true })
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type }))
    await compile(folder, 'TypeScript 5.9', {
      ...options,
      rewriteRelativeImportExtensions: true,
      outDir: 'dist',
    })
  })

  for (const node of nodes) {
    test.for(['main', 'rehearse'])(
      `${node} runs the compiled example, %s`,
      async (file, { expect }) => {
        const shown = await shownIn(path.join(example, 'README.md'))
        const env = ownSandbox()
        const printed = await output([...runtimes[node](), `dist/${file}.js`], { cwd: folder, env })
        expect(printed).toBe(shown.get(`node src/${file}.ts`))
      },
    )
  }

  for (const compiler of ['TypeScript 5.4', 'TypeScript 6.0', 'TypeScript 7.0'] as const) {
    test(`${compiler} accepts the example`, async () => {
      await compile(folder, compiler, {
        ...options,
        allowImportingTsExtensions: true,
        noEmit: true,
      })
    })
  }
})

test('TypeScript 4.9 accepts what uses the SDK, without the declarations that are newer', async () => {
  const folder = path.join(project, 'typescript/old')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(path.join(folder, 'main.ts'), USE)
  await compile(folder, 'TypeScript 4.9', {
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
    noEmit: true,
  })
})

/** Each entry of the SDK, in a program of few lines. */
const USE = `
import { SupportChat, type Conversation } from '@support-chat/sdk'
import { fakeEvent } from '@support-chat/sdk/testing'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/fetch'

const client = new SupportChat({ apiKey: 'key' })
export const conversation: Promise<Conversation> = client.conversations.get('conv_1')
export const receive = webhookHandler(new Webhooks('secret'), ({ event }) => console.log(event))
export const rating: number = fakeEvent('conversation.csat').data.rating
`

test('TypeScript accepts a worker, which knows the types of the web alone', async () => {
  const folder = path.join(project, 'typescript/worker')
  await mkdir(path.join(folder, 'src'), { recursive: true })
  await cp(path.join(consumers, 'worker.ts'), path.join(folder, 'src/worker.ts'))
  await compile(folder, 'TypeScript 5.9', {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'webworker'],
    types: [],
    noEmit: true,
  })
})
