/** The pages about the sandbox: injection, framing, and access. */
import { describe, expect, it } from 'vitest'
import { KIND } from './kinds.ts'
import { SEEDED } from './sandboxed.ts'
import { deliver, PAGES, settled, textOf, visit } from './visitor.ts'

const SCRIPT = '<script>alert(1)</script>'
const QUOTES = `"'><img src=x onerror=alert(1)>`

describe('text from outside', () => {
  it('is text on every page, never an element or an attribute', async () => {
    const { mock, visitor, receiver } = await visit()
    Object.assign(receiver.response, {
      status: 410,
      headers: { 'x-note': SCRIPT + QUOTES },
      body: SCRIPT + QUOTES,
    })
    await visitor.post('/dashboard/endpoints', { url: `${receiver.url}/${SCRIPT}${QUOTES}` })
    const name = SCRIPT + QUOTES
    const opened = await visitor.submit('/dashboard/conversations', { name, text: name })
    const [, path = ''] =
      /action="(\/dashboard\/conversations\/\w+)\/handoff"/.exec(opened.html) ?? []
    await visitor.submit(`${path}/handoff`, { reason: name })
    await mock.post('/_mock/trigger', { kind: KIND, data: { comment: name } })
    await settled(mock)

    const shown = []
    for (const page of [...PAGES, path]) shown.push(await visitor.get(page))
    shown.push(await visitor.get(`/dashboard/deliveries/${encodeURIComponent(name)}`))
    const query = new URLSearchParams({ done: name, before: name, state: name })
    for (const list of [
      '/dashboard/conversations',
      '/dashboard/requests',
      '/dashboard/deliveries',
      '/dashboard/dead',
      '/dashboard/events',
    ]) {
      shown.push(await visitor.get(`${list}?${query}`))
    }
    shown.push(await visitor.post('/dashboard/clock', { advance: name }))
    const found = shown.filter((page) => textOf(page).includes(SCRIPT))
    expect(found.length).toBeGreaterThanOrEqual(7)
    for (const { html } of shown) {
      const elements = html.match(/<(script|img)[^>]*>/g) ?? []
      const own = elements.filter((one) => /^<script src="\/dashboard\/\w+\.js" defer>$/.test(one))
      expect(elements).toEqual(own)
      // Quotes within the value of an attribute are escaped.
      expect(html.replace(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+=/)
    }
  })

  it('is never a link', async () => {
    const { mock, visitor, receiver } = await visit()
    await deliver(mock, receiver.url)
    for (const page of PAGES) {
      const links = (await visitor.get(page)).html.match(/(?:href|src|action)="[^"]*"/g) ?? []
      expect(links.filter((link) => !/="(?:\/|#main|data:,")/.test(link))).toEqual([])
    }
  })
})

describe('every page', () => {
  it('allows only content of this server, and is not cached', async () => {
    const { visitor } = await visit()
    const refused = await visitor.post('/dashboard/clock')
    for (const { headers, html } of [
      refused,
      ...(await Promise.all(PAGES.map((path) => visitor.get(path)))),
    ]) {
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // Under no-referrer, browsers send forms with the Origin null.
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(html).not.toMatch(/<style|\sstyle=|<script>|\shx-on/)
    }
  })

  it('can be used with a keyboard and a screen reader', async () => {
    const { mock, visitor, receiver } = await visit()
    await deliver(mock, receiver.url)
    for (const path of PAGES) {
      const { html } = await visitor.get(path)
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(html).toContain('<html lang="en">')
      for (const element of ['<title>', '<main', '<header>', '<nav aria-label=', '<h1>']) {
        expect(html.split(element)).toHaveLength(2)
      }
      const fields = html.match(
        /<(?:input|select|textarea)(?![^>]*type="(?:hidden|checkbox)")[^>]*>/g,
      )
      for (const field of fields ?? []) {
        const [, id] = /\sid="([^"]*)"/.exec(field) ?? []
        expect(html).toContain(`<label for="${id}">`)
      }
      for (const head of html.match(/<th(?=[\s>])[^>]*>/g) ?? []) expect(head).toContain('scope=')
      for (const [, id] of html.matchAll(/aria-labelledby="([^"]*)"/g)) expect(ids).toContain(id)
      expect(html.match(/aria-current="page"/g)).toHaveLength(1)
    }
  })

  it('loads its style and scripts from this server, once', async () => {
    const { visitor } = await visit()
    const { html } = await visitor.get('/')
    const files = [...html.matchAll(/(?:href|src)="(\/dashboard\/[\w.]+\.(?:css|js))"/g)]
    expect(files).toHaveLength(4)
    for (const [, file = ''] of files) {
      const { status, headers } = await visitor.get(file)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toMatch(/^text\/(css|javascript); charset=utf-8$/)
      const again = { 'if-none-match': headers.get('etag') ?? '' }
      expect((await visitor.send(file, { headers: again })).status).toBe(304)
    }
  })
})

describe('other pages of the same machine', () => {
  const form = '/dashboard/conversations'

  it('cannot send a form', async () => {
    const { mock, visitor } = await visit()
    const { url } = mock.server
    for (const headers of [
      { origin: 'http://example.com' },
      { origin: 'null' },
      { origin: url.replace('http:', 'https:') },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'http://example.com', 'sec-fetch-site': 'cross-site' },
      { origin: '', 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, html } = await visitor.post(form, {}, headers)
      expect([headers, status]).toEqual([headers, 403])
      expect(html).toContain('Send forms only from a page of this server')
    }
    const without = await visitor.send(form, { method: 'POST' })
    expect(without.status).toBe(403)
    expect(await mock.events()).toEqual([])
    expect(
      (await visitor.post(form, {}, { origin: '', 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(303)
  })

  it('cannot read one through another host name', async () => {
    const { mock } = await visit()
    const headers = { host: 'rebound.example', origin: 'http://rebound.example' }
    for (const [method, target] of [
      ['GET', '/'],
      ['POST', form],
      ['GET', '/dashboard/events'],
    ] as const) {
      const request = { method, target, headers, body: (async function* () {})() }
      expect((await mock.server.handler(request)).status).toBe(403)
    }
  })

  it('cannot send any other body than a form', async () => {
    const { mock, visitor } = await visit()
    const origin = mock.server.url
    const headers = { origin, 'content-type': 'text/plain' }
    const { status } = await visitor.send(form, { method: 'POST', headers, body: 'text=x' })
    expect(status).toBe(415)
  })
})

describe('with a control token', () => {
  const token = 'väry secret; =,"'

  it('pages request it once, and keep it where no script can read it', async () => {
    const { visitor } = await visit({ token })
    for (const path of ['/', '/dashboard/events']) {
      const { status, html } = await visitor.get(path)
      expect(status).toBe(401)
      expect(html).toContain('action="/dashboard/token"')
      expect(html).not.toContain('conv_')
    }
    expect((await visitor.post('/dashboard/reset')).status).toBe(401)
    const wrong = await visitor.post('/dashboard/token', { token: 'wrong' })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    expect(wrong.html).toContain('Wrong control token')

    const right = await visitor.post('/dashboard/token', { token })
    expect(right.headers.get('location')).toBe('/')
    expect(right.headers.get('set-cookie')).toMatch(
      /^mock_token=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const page = await visitor.get('/dashboard/conversations')
    expect(page.html).toContain(SEEDED.open)
    expect(page.html).not.toContain('secret')
    expect((await visitor.submit('/dashboard/reset')).status).toBe(200)
  })

  it('the token is accepted neither from a form of another origin nor from a URL', async () => {
    const { visitor } = await visit({ token })
    const origin = 'http://example.com'
    expect((await visitor.post('/dashboard/token', { token }, { origin })).status).toBe(403)
    const query = new URLSearchParams({ token, mock_token: token })
    expect((await visitor.get(`/?${query}`)).status).toBe(401)
  })
})
