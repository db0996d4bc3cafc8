// Builds the documentation site, and uses it in a real Chromium from a folder of a plain web server.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { AxeResults } from 'axe-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../../scripts/repository.ts'
import { programs } from '../../scripts/toolchain/chromium.ts'
import { type Browser, type BrowserContextOptions, chromium } from '../../toolchains/playwright.ts'
import { assembled, broken, brokenLinks } from './site/pages.ts'
import { type Files, serveFiles } from './site/server.ts'

// A browser is slow where other tests run beside it.
const TIMEOUT = 60_000
vi.setConfig({ testTimeout: 2 * TIMEOUT })

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const PHONE = { viewport: { width: 360, height: 740 } }
/** Below some folder, as on a server that has other things too. */
const FOLDER = '/some/folder/'

const folder = mkdtempSync(join(tmpdir(), 'site-'))
const site = join(folder, 'site')
let server: Files
let browser: Browser
/** What the browser complains about, and its requests to other servers. */
let complaints: string[]

function build(out: string) {
  return spawnSync(process.execPath, ['docs/site/run.ts', 'build', '--out', out], {
    cwd: ROOT,
    encoding: 'utf8',
  })
}

beforeAll(async () => {
  const { status, stderr } = build(site)
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  server = await serveFiles(site, FOLDER)
  browser = await chromium.launch({ executablePath: programs.chromium })
}, 10 * TIMEOUT)
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  server?.close()
  rmSync(folder, { recursive: true })
})

async function open(path: string, options: BrowserContextOptions = {}) {
  complaints = []
  const context = await browser.newContext(options)
  context.setDefaultTimeout(TIMEOUT)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.url + path)
  return page
}

describe('the site', () => {
  it('has every page of the documentation once', () => {
    const pages = assembled.map(({ file }) => file)
    expect(pages.length).toBe(new Set(pages).size)
    expect(pages).toEqual(
      expect.arrayContaining(
        globSync('docs/**/*.md', {
          cwd: ROOT,
          exclude: ['docs/site/**', 'docs/style/**', 'docs/dist/**', '**/node_modules/**'],
        }),
      ),
    )
    for (const { slug } of assembled)
      expect(existsSync(join(site, slug, 'index.html')), slug).toBe(true)
  })

  it('has no link that leads nowhere, to another server or out of its folder', async () => {
    expect(await brokenLinks(site)).toEqual([])
  })

  it('is made by sound code', () => {
    const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
    const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', 'docs/site'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })

  it('refuses to build into a folder that has files', () => {
    const { status, stderr } = build(site)
    expect([status, stderr]).toEqual([1, expect.stringContaining('has files')])
  })

  it.each(broken)('tells what is wrong with $name', async ({ markdown, message }) => {
    await expect(markdown()).rejects.toThrow(message)
  })

  it('is small enough for a phone', () => {
    const html = readFileSync(join(site, 'reference/resources/conversations/index.html'))
    const assets = globSync('_astro/*.{js,css}', { cwd: site }).map((file) =>
      readFileSync(join(site, file)),
    )
    const bytes = [html, ...assets].reduce((sum, content) => sum + gzipSync(content).length, 0)
    expect(bytes).toBeLessThan(100_000)
  })
})

describe('in a browser', () => {
  it('asks no other server, and keeps to its policy', async () => {
    const page = await open('')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await page.reload()
    await page.locator('site-search button[data-open-modal]:enabled').waitFor()
    expect(new Set(asked)).toEqual(new Set([new URL(server.url).origin]))
    expect(complaints).toEqual([])
  })

  it('finds pages without a network, and leads to the section', async () => {
    const page = await open('glossary/')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('.pagefind-ui__search-input').fill('rotate secrets')
    await page
      .locator('.pagefind-ui__result-nested a', { hasText: 'Rotate secrets' })
      .first()
      .click()
    await page.waitForURL(/#./)
    expect(page.url().startsWith(server.url)).toBe(true)
    const { hash } = new URL(page.url())
    expect(await page.locator(`[id="${hash.slice(1)}"]`).textContent()).toMatch(/^Rotate secrets/)
    expect(complaints).toEqual([])
  })

  it('keeps the language that the reader chose, on all pages', async () => {
    const page = await open('guides/pagination/')
    await page.getByRole('tab', { name: 'Ruby' }).first().click()
    await page.goto(`${server.url}reference/webhooks/`)
    const tabs = page.getByRole('tab', { name: 'Ruby' })
    expect(await tabs.count()).toBeGreaterThan(1)
    for (const tab of await tabs.all()) expect(await tab.getAttribute('aria-selected')).toBe('true')
  })

  it('shows pictures in the theme that the reader chose', async () => {
    const page = await open('measurements/', { colorScheme: 'light' })
    const shown = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main img')]
          .filter((image) => image.checkVisibility())
          .map((image) => image.getAttribute('src') ?? ''),
      )
    const light = await shown()
    expect(light.length).toBeGreaterThan(3)
    await page.locator('starlight-theme-select select').first().selectOption('dark')
    expect(await shown()).toEqual(light.map((src) => src.replace(/\.svg$/, '-dark.svg')))
  })

  it('switches tabs by keyboard', async () => {
    const page = await open('guides/pagination/')
    await page.getByRole('tab', { name: 'TypeScript' }).focus()
    await page.keyboard.press('ArrowRight')
    const tab = page.getByRole('tab', { name: 'Python' })
    await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
    expect(await page.getByRole('tabpanel').filter({ visible: true }).textContent()).toContain(
      'for conversation in',
    )
  })

  it.each([
    ['a page', 'index.md'],
    ['the reference', 'reference/resources/conversations.md'],
  ])('shows %s as Markdown', async (_, file) => {
    const page = await open(file.replace(/(?:index)?\.md$/, '/').replace(/^\//, ''))
    const link = page.getByRole('link', { name: 'View as Markdown' })
    expect(await link.evaluate((one: HTMLAnchorElement) => one.href)).toBe(server.url + file)
  })

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    it.each([
      '',
      'webhooks/',
      'guides/errors/',
      'reference/',
      'reference/resources/conversations/',
      'reference/webhooks/',
      'reference/errors/',
      'sandbox/',
    ])('is accessible, also on a phone: /%s', async (path) => {
      const page = await open(path, { ...PHONE, colorScheme })
      const width = () => page.evaluate(() => document.documentElement.scrollWidth)
      expect(await width()).toBeLessThanOrEqual(PHONE.viewport.width)
      // Scripts make what can scroll focusable, also for the keyboard.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('pre, .wide')].every(
          (one) => one.scrollWidth <= one.clientWidth || one.hasAttribute('tabindex'),
        ),
      )
      await page.evaluate(AXE)
      const { violations } = await page.evaluate<AxeResults>('axe.run()')
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      )
      expect(found).toEqual([])
    })
  })
})

describe('a request on a page', () => {
  const PAGE = 'reference/resources/conversations/'
  let mock: { url: string; stop: () => void }
  beforeAll(async () => {
    mock = await serveMock()
  })
  afterAll(() => mock?.stop())

  it('is sent to a running mock server, as it was edited', async () => {
    const page = await open(PAGE)
    const first = page.locator('try-request').first()
    await first.getByLabel('Mock server').fill(mock.url)
    await first.getByRole('button', { name: 'Send' }).click()
    const response = first.getByRole('status')
    await expect.poll(() => response.textContent()).toMatch(/^HTTP 200 [\s\S]*"has_more"/)
    const text = await first.getByRole('textbox', { name: 'Request' }).inputValue()
    await first
      .getByRole('textbox', { name: 'Request' })
      .fill(text.replace(/sk_test\w+/, 'sk_live_1'))
    await first.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => response.textContent()).toMatch(/^HTTP 401 /)
  })

  it('succeeds for every operation without an edit', async () => {
    const operations = globSync('reference/resources/*/index.html', { cwd: site })
    for (const file of operations) {
      const page = await open(`${dirname(file)}/`)
      for (const one of await page.locator('try-request').all()) {
        await one.getByLabel('Mock server').fill(mock.url)
        await one.getByRole('button', { name: 'Send' }).click()
        await expect.poll(() => one.getByRole('status').textContent()).toMatch(/^HTTP 20\d /)
      }
    }
  })

  it('says what to do where no mock server runs, and where the text is no request', async () => {
    const page = await open(PAGE)
    const first = page.locator('try-request').first()
    await first.getByLabel('Mock server').fill('http://127.0.0.1:9')
    await first.getByRole('button', { name: 'Send' }).click()
    const response = first.getByRole('status')
    await expect.poll(() => response.textContent()).toContain('Start the mock server')
    await first.getByRole('textbox', { name: 'Request' }).fill('conversations')
    await first.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => response.textContent()).toContain('a method and a path')
    await first.getByRole('button', { name: 'Reset' }).click()
    expect(await first.getByRole('textbox', { name: 'Request' }).inputValue()).toContain('GET /')
  })
})

describe('for programs', () => {
  it('lists every page with its Markdown', () => {
    const index = readFileSync(join(site, 'llms.txt'), 'utf8')
    const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    for (const link of links) expect(existsSync(join(site, link)), link).toBe(true)
    for (const { slug } of assembled) expect(links).toContain(`${slug || 'index'}.md`)
    expect(index).toMatch(/^# .+\n\n> .+\n/)
  })

  it('has all pages in one file', () => {
    const whole = readFileSync(join(site, 'llms-full.txt'), 'utf8')
    for (const { slug } of assembled) expect(whole).toContain(`<!-- ${slug || 'index'}.md -->`)
    const page = readFileSync(join(site, 'guides/pagination.md'), 'utf8')
    expect(whole).toContain(page)
    expect(page).not.toContain('<!--')
  })

  it('links from Markdown to Markdown', () => {
    const wrong = assembled.flatMap(({ slug }) => {
      const file = `${slug || 'index'}.md`
      const text = readFileSync(join(site, file), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
      const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
        ([, link = '']) => link,
      )
      return links
        .filter((link) => !existsSync(join(site, dirname(file), link)))
        .map((link) => `${file}: ${link}`)
    })
    expect(wrong).toEqual([])
  })
})

async function serveMock(): Promise<{ url: string; stop: () => void }> {
  const args = ['mock-server/bin.js', 'serve', '--port', '0', '--memory']
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      const found = /Listening on (\S+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`The mock server ended with ${code}.`)))
  })
  return { url, stop: () => child.kill() }
}
