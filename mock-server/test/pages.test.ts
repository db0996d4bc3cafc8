import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    expect((await get('/')).headers.get('location')).toBe('/docs')
    const page = await get('/docs')
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

  it('support HEAD and OPTIONS like other paths, and return 405 for other methods', async () => {
    const head = await get('/docs', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100)
    const options = await get('/_mock/health', { method: 'OPTIONS' })
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    await problem(await get('/docs', { method: 'POST' }), 405)
    await problem(await get('/_mock/nothing'), 404)
  })
})
