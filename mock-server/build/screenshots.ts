/** Takes the pictures of the dashboard for the guides, in both themes. Needs a build, and port 3000 for its receiver. */
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { programs } from '../../scripts/toolchain/chromium.ts'
import { type Browser, chromium } from '../../toolchains/playwright.ts'
import { createLog } from '../src/door/log.ts'
import { type Server, startServer } from '../src/server.ts'

const FOLDER = new URL('../../docs/images/', import.meta.url)
const RECEIVER = 3000
const MOST_BYTES = 150_000
const HOUR = 3_600_000

/** The time in the pictures. */
const NOW = Date.parse('2026-11-21T09:30:00Z')

interface Picture {
  name: string
  path: string
}

/** What stands at the end of a picture's name in each theme. */
const THEMES = { light: '', dark: '-dark' } as const

const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    const isDown = request.headers['x-service-event'] === 'conversation.handoff'
    const headers = { 'content-type': 'text/plain', 'retry-after': '120' }
    if (isDown) response.writeHead(503, headers).end('The queue is full. Come back later.')
    else response.writeHead(204).end()
  })
})
receiver.listen(RECEIVER, '127.0.0.1')
await once(receiver, 'listening')

const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  contract: undefined,
  sandbox: { store: { file: ':memory:' }, allowPrivate: true, now: () => NOW },
  log: createLog('error'),
})
const pictures = await play(server)
const browser = await chromium.launch({ executablePath: programs.chromium })
mkdirSync(FOLDER, { recursive: true })
for (const picture of pictures) {
  for (const theme of ['light', 'dark'] as const) await take(browser, picture, theme)
}
await browser.close()
await server.close()
receiver.close()

/** Fills the sandbox for the pictures. */
async function play({ url, sandboxes }: Server): Promise<Picture[]> {
  if (!sandboxes) throw new Error('there is no sandbox')
  const { life } = sandboxes
  const sandbox = () => sandboxes.of('sk_test_demo')
  await sandboxes.endpoints.add(await sandbox(), { url: `http://127.0.0.1:${RECEIVER}/webhooks` })
  await sandboxes.endpoints.add(await sandbox(), {
    url: `http://127.0.0.1:${RECEIVER}/escalations`,
    kinds: ['conversation.handoff', 'conversation.csat'],
  })
  const { id } = await life.create(await sandbox(), {
    name: 'Grace Okafor',
    text: 'Hello, my order 4711 has not arrived.',
  })
  const headers = { authorization: 'Bearer sk_test_demo', 'content-type': 'application/json' }
  await fetch(`${url}/v1/conversations?status=open`, { headers })
  const response = await fetch(`${url}/v1/conversations/${id}/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'I am sorry to hear that. It left the depot this morning.' }),
  })
  if (!response.ok) throw new Error(await response.text())
  const sent = response.headers.get('x-request-id')
  await life.message(await sandbox(), id, {
    author: 'visitor',
    text: 'Can somebody call me, please?',
  })
  await life.handoff(await sandbox(), id, 'The visitor asked for a call.')
  await sandboxes.advance(await sandbox(), 24 * HOUR)
  await life.message(await sandbox(), id, { author: 'visitor', text: 'It is here. Thank you!' })
  await sandboxes.settled(await sandbox())
  const [dead] = await sandboxes.store.deliveries.list(await sandbox(), { state: 'dead' }, 1)
  await fetch(`${url}/v1/conversations?limit=1000`, { headers })
  const faults = [
    { method: 'GET', path: '/v1/conversations', status: 429, retry_after: 2, times: 1 },
    { path: '/v1/conversations/{id}/messages', truncate: true, times: 1 },
    { path: '/v1/analytics', delay: '2s', rate: 0.5 },
  ]
  for (const fault of faults) {
    await fetch(`${url}/_mock/faults`, { method: 'POST', headers, body: JSON.stringify(fault) })
  }
  await fetch(`${url}/v1/conversations`)
  return [
    { name: 'overview', path: '/' },
    { name: 'requests', path: '/dashboard/requests' },
    { name: 'request', path: `/dashboard/requests/${sent}?as=python#code` },
    { name: 'faults', path: '/dashboard/faults' },
    { name: 'conversation', path: `/dashboard/conversations/${id}` },
    { name: 'deliveries', path: '/dashboard/deliveries' },
    { name: 'delivery', path: `/dashboard/deliveries/${dead?.id}` },
    { name: 'dead-letters', path: '/dashboard/dead' },
    { name: 'endpoints', path: '/dashboard/endpoints' },
  ]
}

async function take(browser: Browser, { name, path }: Picture, theme: keyof typeof THEMES) {
  // What a screen shows of a page.
  const viewport = { width: 1100, height: 760 }
  const page = await browser.newPage({ baseURL: server.url, viewport, colorScheme: theme })
  await page.goto(path)
  const file = fileURLToPath(new URL(`${name}${THEMES[theme]}.png`, FOLDER))
  await page.screenshot({ path: file })
  await page.close()
  const { size } = statSync(file)
  process.stdout.write(`${file} ${size} bytes\n`)
  if (size > MOST_BYTES) throw new Error(`${file} has more than ${MOST_BYTES} bytes.`)
}
