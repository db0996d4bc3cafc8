// The pages of a hosted server: sign-up, sign-in, claiming, and the administration of keys.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ADMIN_TOKEN, admin, Hosted, issue, send } from './hosted.ts'

const hosted = new Hosted()
let server: Server
/** As the browser sends it for the public URL. */
const HEADERS = { host: 'sandbox.test' }

beforeAll(async () => {
  server = await hosted.start()
})
afterAll(() => hosted.close())

const open = (path: string, cookie = '') => send(server, path, { headers: { cookie } })
const submit = (path: string, form: Record<string, string>, cookie = '') =>
  send(server, path, { form, headers: { cookie } })

/** The cookie that a response sets, as the browser sends it back. */
function cookieOf({ headers }: { headers: Headers }): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('the dashboard', () => {
  it('asks for a key, and shows nothing without one', async () => {
    for (const path of ['/', '/dashboard/endpoints', '/dashboard/requests.har']) {
      const { status, body } = await open(path)
      expect([path, status]).toEqual([path, 401])
      expect(body).toContain('<h1>Sign in</h1>')
    }
    const demo = await open('/', 'mock_key=sk_test_demo')
    expect(demo.status).toBe(401)
    expect(demo.body).toContain('There is no such key.')
  })

  it('opens for a key, which no script and no other site gets', async () => {
    const { key } = await issue(server)
    const refused = await submit('/dashboard/key', { key: 'sk_test_wrong' })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
    const signedIn = await submit('/dashboard/key', { key })
    expect(signedIn.headers.get('set-cookie')).toBe(
      `mock_key=${key}; Path=/; HttpOnly; SameSite=Strict`,
    )
    const { status, body } = await open('/', cookieOf(signedIn))
    expect(status).toBe(200)
    expect(body).not.toContain(key)
    expect(body).toContain(`sk_test_…${key.slice(-4)}`)
  })

  it('marks its cookies as secure where the public URL is', async () => {
    const secure = await hosted.start({ publicUrl: 'https://sandbox.test' })
    const { key } = await issue(secure)
    const { headers } = await send(secure, '/dashboard/key', { form: { key } })
    expect(headers.get('set-cookie')).toMatch(/; Secure$/)
    await secure.close()
  })

  it('closes when the visitor signs out, and when the key is revoked', async () => {
    const { id, key } = await issue(server)
    const cookie = cookieOf(await submit('/dashboard/key', { key }))
    const out = await submit('/dashboard/sign-out', {}, cookie)
    expect(out.headers.get('set-cookie')).toMatch(/^mock_key=; Max-Age=0; /)
    await admin(server, `keys/${id}/revoke`, { body: {} })
    expect((await open('/', cookie)).body).toContain('The key was revoked.')
  })

  it.each(['/dashboard/reset', '/dashboard/key', '/dashboard/sign-up', '/dashboard/admin/keys'])(
    'refuses a form of another site: %s',
    async (path) => {
      const { key } = await issue(server)
      const cookie = `mock_key=${key}; mock_admin=${ADMIN_TOKEN}`
      const others: Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'http://evil.sandbox.test' },
        { 'sec-fetch-site': '', origin: 'null' },
      ]
      for (const headers of others) {
        const { status } = await send(server, path, {
          form: { key, name: 'x' },
          headers: { ...HEADERS, ...headers, cookie },
        })
        expect([headers, status]).toEqual([headers, 403])
      }
    },
  )
})

describe('a visitor', () => {
  it('creates a sandbox, works in it, and claims it', async () => {
    const { body, headers } = await submit('/dashboard/sign-up', {})
    const [key = ''] = /sk_test_[\w-]{32}/.exec(body) ?? []
    const [link = ''] = /http:\/\/sandbox\.test(\/dashboard\/claim\?secret=[\w-]+)/.exec(body) ?? []
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await open('/', cookieOf({ headers }))).status).toBe(200)
    expect((await send(server, '/v1/conversations', { key })).status).toBe(200)
    const { pathname, search, searchParams } = new URL(link)
    const secret = searchParams.get('secret') ?? ''
    expect((await open(pathname + search)).body).toContain(`name="secret" value="${secret}"`)
    expect((await submit(pathname, { secret, name: '' })).status).toBe(422)
    const claimed = await submit(pathname, { secret, name: '<b>Ada</b>' })
    expect(claimed.body).toContain('&lt;b&gt;Ada&lt;/b&gt;')
    const again = await submit(pathname, { secret, name: 'Bea' })
    expect([again.status, again.body]).toEqual([404, expect.stringContaining('was used')])
  })
})

describe('the administration', () => {
  const PAGE = '/dashboard/admin'

  it('asks for the admin token', async () => {
    expect((await open(PAGE)).status).toBe(401)
    expect((await open(PAGE, 'mock_admin=wrong')).status).toBe(401)
    const wrong = await submit(`${PAGE}/token`, { token: 'wrong' })
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    const right = await submit(`${PAGE}/token`, { token: ADMIN_TOKEN })
    expect(right.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict/)
    expect((await open(PAGE, cookieOf(right))).status).toBe(200)
    const { key } = await issue(server)
    expect((await open(PAGE, `mock_key=${key}`)).status).toBe(401)
  })

  it('issues, limits, renames, replaces and revokes a key', async () => {
    const cookie = `mock_admin=${ADMIN_TOKEN}`
    const act = (path: string, form: Record<string, string> = {}) =>
      submit(`${PAGE}/${path}`, form, cookie)
    const keyIn = ({ body }: { body: string }) => /sk_test_[\w-]{32}/.exec(body)?.[0] ?? ''
    const works = async (key: string) =>
      (await send(server, '/v1/conversations', { key })).status === 200
    const first = keyIn(await act('keys', { name: 'Shop of Ada' }))
    expect(await works(first)).toBe(true)
    const [{ id }] = (await admin(server, 'keys')).body.data
    const limits = Object.entries((await admin(server, `keys/${id}`)).body.limits)
    const form = Object.fromEntries(limits.map(([name, value]) => [name, String(value)]))
    await act(`keys/${id}/limits`, { ...form, endpoints: '3' })
    expect((await act(`keys/${id}/limits`, { ...form, endpoints: 'x' })).status).toBe(422)
    expect((await act(`keys/${id}/limits`, { ...form, requests_per_second: '0' })).status).toBe(422)
    expect((await act(`keys/${id}/limits`, { ...form, conversations: '1.5' })).status).toBe(422)
    await act(`keys/${id}/rename`, { name: 'Shop of Bea' })
    const shown = (await admin(server, `keys/${id}`)).body
    expect(shown).toMatchObject({ name: 'Shop of Bea', limits: { endpoints: 3 } })
    const second = keyIn(await act(`keys/${id}/rotate`))
    expect(await works(second)).toBe(true)
    await act(`keys/${id}/revoke`)
    expect([await works(first), await works(second)]).toEqual([false, false])
    const page = (await open(PAGE, cookie)).body
    expect(page).toContain('Shop of Bea')
    expect(page).toContain('revoked')
    expect(page).not.toContain(second)
  })
})
