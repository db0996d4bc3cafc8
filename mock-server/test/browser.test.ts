/** The pages in a real Chromium, with the scripts and the policy that they are served with. */
import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { programs } from '../../scripts/toolchain/chromium.ts'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from '../../toolchains/playwright.ts'
import { type Sandboxed, SEEDED, sandboxed } from './sandboxed.ts'
import { happen, settled } from './visitor.ts'

// A browser is slow where other tests run beside it.
const TIMEOUT = 120_000
vi.setConfig({ testTimeout: 2 * TIMEOUT })

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

let browser: Browser
let receiver: HttpServer
let received: string[]
let status: number
let hook: string
let mock: Sandboxed
/** The errors in the browser, and its requests to other servers. */
let complaints: string[]

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: programs.chromium })
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(body).event)
      response.writeHead(status, { 'content-type': 'text/plain' }).end(`It is ${status}.`)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await browser.close()
  receiver.close()
})
beforeEach(async () => {
  received = []
  complaints = []
  status = 200
  mock = await sandboxed()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  await mock.close()
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: mock.server.url, ...options })
  context.setDefaultTimeout(TIMEOUT)
  const page = await context.newPage()
  // A breach of the policy is an error on the console too.
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(mock.server.url)) complaints.push(request.url())
  })
  await page.goto(path)
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

it('shows a delivery that succeeds, a dead letter, and its replay', async () => {
  const page = await open('/dashboard/endpoints')
  await page.getByLabel('URL').fill(hook)
  await button(page, 'Add endpoint').click()
  await page.getByText(/^whsec_/).waitFor()
  await page.reload()
  await page.getByText('1 endpoint.').waitFor()
  expect(await page.getByText(/^whsec_/).count()).toBe(0)

  await link(page, 'Conversations').click()
  await page.getByText('Create a conversation').click()
  await page.getByLabel("Visitor's name").fill('Grace')
  await page.getByLabel('First message').fill('Where is my parcel?')
  await button(page, 'Create conversation').click()
  await page.getByText('Conversation created.').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Where is my parcel?' }).waitFor()

  await link(page, 'Deliveries').click()
  const delivered = page.getByRole('row').filter({ hasText: 'succeeded' })
  await delivered.filter({ hasText: 'conversation.created' }).waitFor()
  await delivered.filter({ hasText: 'conversation.message' }).waitFor()
  expect(received.sort()).toEqual(['conversation.created', 'conversation.message'])

  status = 503
  await link(page, 'Conversations').click()
  await page.getByRole('row').filter({ hasText: 'Grace' }).getByRole('link').click()
  await button(page, 'Hand off to a human').click()
  await page.getByText('Conversation handed off.').waitFor()
  await page.getByText('Sandbox sk_test_demo').click()
  await button(page, 'Advance 24 h').click()
  await page.getByText('Clock advanced.').waitFor()
  await link(page, 'Dead letters').click()
  const dead = page.getByRole('row').filter({ hasText: 'conversation.handoff' })
  await dead.filter({ hasText: '503: the receiver failed' }).waitFor()
  expect(received.filter((kind) => kind === 'conversation.handoff')).toHaveLength(5)

  status = 200
  await dead.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('succeeded, 6 attempts.').waitFor()
  await page.getByText('200: accepted').waitFor()
  await page.reload()
  await button(page, "Verify with the endpoint's secret of attempt 6").click()
  await page.getByText('The signature is valid').waitFor()
  await link(page, 'Dead letters').click()
  await page.getByText('0 dead deliveries.').waitFor()
  expect(received.filter((kind) => kind === 'conversation.handoff')).toHaveLength(6)
  expect(complaints).toEqual([])
})

it('shows new events and keeps the focus, typed text and expanded elements', async () => {
  const page = await open(`/dashboard/conversations/${SEEDED.open}`)
  const message = page.getByLabel('Message', { exact: true })
  await message.fill('half a sentence')
  await page.keyboard.press('ArrowLeft')
  await mock.post(`/v1/conversations/${SEEDED.open}/messages`, { text: 'From the team.' })
  await page.getByRole('listitem').filter({ hasText: 'From the team.' }).waitFor()
  await page.keyboard.type('!')
  expect(await message.inputValue()).toBe('half a sentenc!e')

  await link(page, 'Events').click()
  await page.getByText('Send an event').click()
  const data = page.getByLabel(/^Data to merge/)
  await data.fill('{"a":')
  await mock.create()
  await page.getByRole('cell', { name: 'conversation.created' }).waitFor()
  expect(await data.inputValue()).toBe('{"a":')
  expect(complaints).toEqual([])
})

it('updates an older page without moving its items', async () => {
  await mock.post('/_mock/endpoints', { url: hook })
  await happen(mock, 52)
  const page = await open('/dashboard/deliveries?state=succeeded')
  await link(page, 'Older deliveries').click()
  await link(page, 'dlv_2').waitFor()
  await link(page, 'Newest deliveries').focus()
  await happen(mock, 1)
  await mock.post('/_mock/deliveries/dlv_2/replay', {})
  await settled(mock)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await rows.first().getByRole('cell', { name: '2', exact: true }).waitFor()
  expect(await rows.getByRole('rowheader').allTextContents()).toEqual(['dlv_2', 'dlv_1'])
  await page.keyboard.press('Enter')
  await link(page, 'dlv_53').waitFor()
  // The newest page follows new deliveries, and so does its link to older ones.
  await happen(mock, 1)
  await link(page, 'dlv_54').waitFor()
  expect(await link(page, 'Older deliveries').getAttribute('href')).toMatch(/&before=dlv_5$/)
  expect(complaints).toEqual([])
})

it('sends no request while it is hidden, and one as soon as it is visible again', async () => {
  const page = await open('/dashboard/conversations')
  let requests = 0
  page.on('request', () => requests++)
  const look = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await look(true)
  await page.clock.install()
  await page.reload()
  await look(true)
  requests = 0
  await page.clock.runFor(60_000)
  expect(requests).toBe(0)
  const id = await mock.create()
  await look(false)
  await link(page, id).waitFor()
  expect(requests).toBe(1)
})

it('copies what a button stands beside', async () => {
  const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
  await button(page, 'Copy the API key').click()
  await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('sk_test_demo')
  expect(complaints).toEqual([])
})

it('reports that the server is gone', async () => {
  const page = await open('/')
  await mock.server.close()
  await page.getByRole('alert').filter({ hasText: 'does not respond' }).waitFor()
})

it('works without JavaScript', async () => {
  const page = await open('/dashboard/conversations', { javaScriptEnabled: false })
  await page.getByText('Create a conversation').click()
  await page.getByLabel('First message').fill('Hello?')
  await button(page, 'Create conversation').click()
  await button(page, 'Resolve conversation').click()
  await page.getByLabel('Rating').selectOption('4')
  await button(page, 'Submit rating').click()
  await page.getByText('4 of 5').waitFor()
  await page.getByText('Sandbox sk_test_demo').click()
  await page.getByText('Reset…').click()
  await button(page, 'Delete all data of this sandbox').click()
  await link(page, 'Conversations').click()
  await page.getByText('3 conversations').waitFor()
  await link(page, 'Endpoints').click()
  await page.getByLabel('URL').fill(hook)
  await button(page, 'Add endpoint').click()
  const remove = page.getByRole('button', { name: 'Remove endpoint and its deliveries' })
  expect(await remove.isVisible()).toBe(false)
  await page.getByText('Remove…').focus()
  await page.keyboard.press('Enter')
  await remove.focus()
  await page.keyboard.press('Enter')
  await page.getByText('0 endpoints.').waitFor()
  expect(complaints).toEqual([])
})

it('runs no script from the data of a page', async () => {
  const page = await open('/')
  const ran = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.body.id = "ran"'
    document.body.append(script)
    return document.body.id
  })
  expect(ran).toBe('')
  expect(complaints).toEqual([expect.stringContaining('Content Security Policy')])
})

it('works with the keyboard alone', async () => {
  const page = await open('/dashboard/conversations')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await link(page, SEEDED.handedOff).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Conversation ${SEEDED.handedOff}` }).waitFor()
  await page.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.type('By hand.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.getByText('Message sent.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('text')
})

it.each(['light', 'dark'] as const)('is accessible, in %s', async (colorScheme) => {
  await mock.post('/_mock/endpoints', { url: `${hook}/${'long'.repeat(50)}` })
  status = 410
  const text = 'long'.repeat(100)
  const id = await mock.create(text)
  await settled(mock)
  const request = (await mock.get(`/v1/conversations?cursor=${text}`)).headers['x-request-id']
  const event = (await mock.events())[0].id
  await mock.post('/_mock/faults', { path: '/v1/conversations/{id}', status: 429, times: 1 })
  await mock.post('/_mock/snapshots', { name: 'long'.repeat(16) })
  const page = await open('/', { colorScheme, viewport: { width: 320, height: 640 } })
  for (const path of [
    '/',
    '/dashboard/conversations',
    '/dashboard/requests',
    `/dashboard/requests/${request}`,
    `/dashboard/conversations/${id}`,
    `/dashboard/conversations/${SEEDED.resolved}`,
    '/dashboard/deliveries',
    '/dashboard/deliveries?before=dlv_2',
    '/dashboard/deliveries/dlv_1',
    '/dashboard/deliveries/dlv_1?verify=1',
    '/dashboard/dead',
    '/dashboard/endpoints',
    '/dashboard/events',
    `/dashboard/events/${event}`,
    '/dashboard/faults',
    '/dashboard/snapshots',
    `/dashboard/requests/${request}?as=go`,
    '/dashboard/contract',
  ]) {
    await page.goto(path)
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await page.evaluate(AXE)
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    const unreadable = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html]))
    expect([path, tooWide, unreadable]).toEqual([path, 0, []])
  }
})
