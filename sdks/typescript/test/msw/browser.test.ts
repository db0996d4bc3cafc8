// The mocks in a page, where msw is a service worker.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { programs } from '../../../../scripts/toolchain/chromium.ts'
import { chromium } from '../../../../toolchains/playwright.ts'

const require = createRequire(import.meta.url)

const PAGE = `
  import { setupWorker } from 'msw/browser'
  import { SupportChat } from './src/index.ts'
  import { createHandlers, fixtures, mock, respond } from './src/msw/index.ts'

  globalThis.check = async () => {
    const worker = setupWorker(...createHandlers())
    await worker.start({ quiet: true })
    const baseURL = 'https://api.test'
    const options = { apiKey: 'k', baseURL, dangerouslyAllowBrowser: true, maxRetries: 1 }
    const client = new SupportChat(options)
    await client.conversations.messages.create('conv_1', { text: 'Hi' })
    const { transcript } = await client.conversations.get('conv_1')
    worker.use(mock.conversations.get(fixtures.conversation({ status: 'open' }), { once: true }))
    const { status } = await client.conversations.get('conv_1')
    worker.use(mock.conversations.get(respond.notFound()))
    const error = await client.conversations.get('conv_1').catch((error) => error)
    return [transcript.at(-1).text, status, error.name]
  }`

test('in Chromium, a client gets what the handlers return', async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: new URL('../..', import.meta.url).pathname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  const files: Record<string, [type: string, content: string]> = {
    '/': ['text/html', '<script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(require.resolve('msw/mockServiceWorker.js'), 'utf8'),
    ],
  }
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = files[url] ?? ['text/plain', '']
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const browser = await chromium.launch({ executablePath: programs.chromium })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.waitForFunction('globalThis.check !== undefined')
    expect(await page.evaluate('check()')).toEqual(['Hi', 'open', 'NotFoundError'])
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})
