import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { compile } from './compile.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, type RunOptions, run, start } from './processes.ts'
import { codeIn } from './readme.ts'
import { type Runtime, runtimes } from './runtimes.ts'

const node = runtimes['Node 24']()
/** What somebody types who has the packed mock server and nothing else. */
const mock = [
  'npx',
  '--yes',
  '--offline',
  '--package',
  inject('mockArchive'),
  '--',
  'support-chat-mock',
]

/** The status of each operation, and its request. */
const requests: [status: number, method: string, target: string, body?: object][] = [
  [200, 'GET', '/v1/conversations?limit=2&status=open'],
  [200, 'GET', '/v1/conversations/conv_01J2Z8M3VN'],
  [201, 'POST', '/v1/conversations/conv_01J2Z8M3VN/messages', { text: 'On its way.' }],
  [201, 'POST', '/v1/knowledge/sources', { type: 'url', url: 'https://shop.example.com/help' }],
  [200, 'GET', '/v1/analytics'],
]

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))

test.for(['Node 22', 'Node 24'] as const)(
  'npx starts the mock in an empty folder on %s, and all operations work',
  async (node, { expect }) => {
    const server = await start([...mock, 'serve', '--port', '0'], await emptyFolder(node))
    const baseURL = server.firstLine.replace('Listening on ', '')
    const send = (method: string, target: string, body?: object) =>
      fetch(baseURL + target, {
        method,
        headers: { authorization: 'Bearer sk_test_demo', 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
    try {
      expect(baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      for (const [status, ...request] of requests) {
        const response = await send(...request)
        expect([request, response.status]).toEqual([request, status])
        expect(await response.json()).toBeTypeOf('object')
      }
    } finally {
      await server.stop()
    }
    await expect(fetch(baseURL)).rejects.toThrow()
  },
)

test('on Node 20 the mock says which Node it needs', async () => {
  const place = await emptyFolder('Node 20')
  const { status, stdout, stderr } = await run([...mock, 'serve'], place)
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
  expect(stderr).toContain('22.13')
})

describe("the README's code", () => {
  const place = path.join(inject('project'), 'readme')
  /** What the README leaves to the reader: a delivery that came in. */
  const delivery = `
    const rawBody = JSON.stringify({
      event: 'conversation.handoff',
      id: 'evt_01J2Z91J4S',
      occurred_at: '2026-03-02T09:21:48Z',
      data: { conversation_id: 'conv_1', reason: 'asked', transcript_url: 'http://x/v1/y' },
    })
    const secret = process.env.SUPPORT_CHAT_WEBHOOK_SECRET ?? ''
    const request = { headers: { 'x-service-signature': await Webhooks.sign(rawBody, secret) } }
  `

  beforeAll(async () => {
    const [client = '', receiver = ''] = await codeIn(path.join(repository, 'README.md'))
    await mkdir(place)
    const here = client.replace('http://127.0.0.1:4010', inject('baseURL'))
    await writeFile(path.join(place, 'client.ts'), here)
    await writeFile(path.join(place, 'receiver.ts'), delivery + receiver)
  })

  test('verifies a delivery', async () => {
    const env = { SUPPORT_CHAT_WEBHOOK_SECRET: 'whsec_test' }
    const printed = await output([...node, 'receiver.ts'], { cwd: place, env })
    expect(printed).toBe('http://x/v1/y\n')
  })

  test('is accepted by TypeScript', async () => {
    await compile(place, 'TypeScript 5.9', { module: 'nodenext', noEmit: true })
  })
})

/** An empty folder where `node` is the given release, and npm has never downloaded anything. */
async function emptyFolder(name: Runtime): Promise<RunOptions> {
  const cwd = path.join(folder, name.replace(' ', '-'))
  await mkdir(cwd)
  const PATH = [path.dirname(runtimes[name]()[0] ?? ''), process.env.PATH].join(path.delimiter)
  return { cwd, env: { PATH, npm_config_cache: `${cwd}-cache` } }
}
