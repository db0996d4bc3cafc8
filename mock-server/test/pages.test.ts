import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseYaml as parse } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../scripts/languages.ts'
import type { HttpRequest } from '../src/door/message.ts'
import { createSite } from '../src/pages/site.ts'
import type { Server } from '../src/server.ts'
import { problem, start } from './support.ts'

describe('the pages', () => {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())
  const get = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: 'manual', ...init })

  it('report that the server runs', async () => {
    const response = await get('/_mock/health')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(await response.json()).toEqual({ status: 'ok', store: 'none' })
  })

  it('serve the contract, once per client', async () => {
    const first = await get('/openapi.yaml')
    expect(first.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(await first.text()).toBe(readFileSync('../openapi.yaml', 'utf8'))
    const etag = first.headers.get('etag') ?? ''
    const second = await get('/openapi.yaml', { headers: { 'if-none-match': `"x", W/${etag}` } })
    expect(second.status).toBe(304)
    expect(await second.text()).toBe('')
    const changed = await get('/openapi.yaml', { headers: { 'if-none-match': '"other"' } })
    expect(changed.status).toBe(200)
  })

  it('render the reference only with files of this server', async () => {
    const page = await get('/reference')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|https?:/)
    const html = await page.text()
    expect(html).not.toMatch(/https?:|<script>|\son\w+=/)
    // It asks for no live key.
    expect(html).toMatch(/"securitySchemes":\{"[\w.-]+":\{"token":"sk_test_demo"/)
    const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? []
    const program = await get(script)
    expect(program.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(Number(program.headers.get('content-length'))).toBeGreaterThan(1_000_000)
    await program.body?.cancel()
  })

  it('lead to the documentation, or to the reference where it was not built', async () => {
    expect((await get('/')).headers.get('location')).toBe('/docs')
    const built = existsSync('site/index.html')
    expect((await get('/docs')).headers.get('location')).toBe(built ? '/docs/' : '/reference')
  })

  it('show a program of each SDK for each operation of the default contract, and of no other', async () => {
    const shown = parse(await (await get('/reference/openapi.yaml')).text())
    const own = parse(readFileSync('../openapi.yaml', 'utf8'))
    const described = operationsOf(shown)
    expect(described.length).toBe(operationsOf(own).length)
    for (const operation of described) {
      const samples = operation['x-codeSamples'] as Array<{ label: string; source: string }>
      expect(samples.map(({ label }) => label)).toEqual(LANGUAGES.map(({ title }) => title))
      for (const { source } of samples) expect(source).toContain('http://127.0.0.1:4010')
    }
    const other = await start('test/fixtures/traps.yaml')
    const text = await (await fetch(`${other.url}/reference/openapi.yaml`)).text()
    expect(text).toBe(readFileSync('test/fixtures/traps.yaml', 'utf8'))
    await other.close()
  })

  it('support HEAD and OPTIONS like other paths, and return 405 for other methods', async () => {
    const head = await get('/reference', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
    const options = await get('/_mock/health', { method: 'OPTIONS' })
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    await problem(await get('/reference', { method: 'POST' }), 405)
    await problem(await get('/_mock/nothing'), 404)
  })
})

describe('the documentation site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  mkdirSync(join(folder, 'site/guide'), { recursive: true })
  for (const [name, text] of Object.entries({
    'secret.txt': 'secret',
    'site/index.html': 'home',
    'site/guide/index.html': 'guide',
    'site/guide.md': '# Guide',
  })) {
    writeFileSync(join(folder, name), text)
  }
  const site = createSite(pathToFileURL(join(folder, 'site/')))
  afterAll(() => rmSync(folder, { recursive: true }))
  const get = async (path: string) => site.at(path)?.({ headers: {} } as HttpRequest)

  it('has its pages and files, with their types', async () => {
    expect(site.isThere()).toBe(true)
    expect(String((await get('/docs/'))?.body)).toBe('home')
    expect(String((await get('/docs/guide/'))?.body)).toBe('guide')
    const text = await get('/docs/guide.md')
    expect(text?.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(String(text?.body)).toBe('# Guide')
    expect(text?.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('leads from a page without a slash at its end to the page', async () => {
    expect((await get('/docs/guide'))?.headers.location).toBe('/docs/guide/')
  })

  it('has nothing else, also outside of its folder', () => {
    const paths = ['/docs/nothing', '/docs', '/guide/', '/docs//', '/docs/guide/nothing.html']
    const outside = ['/docs/../secret.txt', '/docs/..%2fsecret.txt', '/docs/%2e%2e/secret.txt']
    const odd = ['/docs/.hidden', '/docs/guide%00.md', '/docs/..\\secret.txt', '/docs///secret.txt']
    for (const path of [...paths, ...outside, ...odd]) expect(site.at(path), path).toBeNull()
    expect(createSite(pathToFileURL(join(folder, 'other/'))).isThere()).toBe(false)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: documents are free in their shape
function operationsOf(document: any): Array<Record<string, unknown>> {
  return Object.values(document.paths).flatMap((item) =>
    Object.entries(item as object).flatMap(([verb, operation]) =>
      ['get', 'put', 'post', 'patch', 'delete'].includes(verb) ? [operation] : [],
    ),
  )
}
