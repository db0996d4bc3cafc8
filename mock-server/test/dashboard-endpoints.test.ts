/** The page of the endpoints, as a browser without JavaScript meets it. */
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/store/types.ts'
import { KIND } from './kinds.ts'
import { KEY, type Sandboxed } from './sandboxed.ts'
import { deliver, idsOf, PAGES, type Shown, textOf, visit } from './visitor.ts'

/** The only endpoint, with its secret. */
async function onlyOne({ sandboxes }: Sandboxed): Promise<Endpoint> {
  const [one, ...others] = await sandboxes.store.endpoints.list(await sandboxes.of(KEY))
  expect(others).toEqual([])
  if (!one) throw new Error('there is no endpoint')
  return one
}

describe('endpoints', () => {
  it('show their secret once, when they are added and when it is rotated', async () => {
    const { visitor, receiver } = await visit()
    const secretOf = ({ html }: Shown) => /class="secret"[^>]*>([^<]+)</.exec(html)?.[1]
    const added = await visitor.submit('/dashboard/endpoints', { url: receiver.url })
    const first = secretOf(added)
    expect(first).toMatch(/^whsec_.{32}$/)
    const [, id = ''] = /<tr id="(ep_\w+)"/.exec(added.html) ?? []
    const second = secretOf(await visitor.submit(`/dashboard/endpoints/${id}/rotate`))
    expect(second).toMatch(/^whsec_.{32}$/)
    expect(second).not.toBe(first)
    for (const path of PAGES) {
      const { html } = await visitor.get(path)
      expect(html).not.toContain('whsec_')
    }
  })

  it('are added and rotated once, even if the next page is reloaded', async () => {
    const { mock, visitor, receiver } = await visit()
    const added = await visitor.post('/dashboard/endpoints', { url: receiver.url })
    const { id, secret } = await onlyOne(mock)
    const rotated = await visitor.post(`/dashboard/endpoints/${id}/rotate`)
    const { secret: next } = await onlyOne(mock)
    for (const [{ status, headers }, shown] of [
      [added, secret],
      [rotated, next],
    ] as const) {
      const address = headers.get('location') ?? ''
      expect(status).toBe(303)
      expect(address).toMatch(/^\/dashboard\/endpoints\?secret=[\w-]{22}$/)
      expect(secret + next).not.toContain(address.split('=')[1])
      const once = await visitor.get(address)
      expect(once.html).toContain(`>${shown}</code>`)
      expect(once.html).toMatch(/<title>Endpoints ·/)
      expect(once.html).toContain('hx-get="/dashboard/endpoints"')
      const again = await visitor.get(address)
      expect([again.status, idsOf(again, 'ep')]).toEqual([200, [id]])
      expect(again.html).not.toContain('whsec_')
    }
    expect(await onlyOne(mock)).toMatchObject({ id, secret: next })
  })

  it('show a secret only in its sandbox', async () => {
    const { visitor, receiver } = await visit()
    const added = await visitor.post('/dashboard/endpoints', { url: receiver.url })
    const address = added.headers.get('location') ?? ''
    await visitor.submit('/dashboard/key', { key: 'sk_test_other' })
    expect((await visitor.get(address)).html).not.toContain('whsec_')
    await visitor.submit('/dashboard/key', { key: 'sk_test_demo' })
    expect((await visitor.get(address)).html).toContain('whsec_')
  })

  it('of `listen` name the command that prints their secret, and cannot be rotated', async () => {
    const { mock, visitor, receiver } = await visit()
    await mock.post('/_mock/listeners', { url: receiver.url })
    const listening = await visitor.get('/dashboard/endpoints')
    expect(textOf(listening)).toContain('Printed by listen .')
    expect(listening.html).not.toContain('/rotate')
    expect(listening.html).toContain('/remove')
    await visitor.submit('/dashboard/endpoints', { url: receiver.url })
    const both = await visitor.get('/dashboard/endpoints')
    expect(both.html.match(/\/rotate"/g)).toHaveLength(1)
  })

  it('accept a secret and the selected kinds', async () => {
    const { mock, visitor, receiver } = await visit()
    const fields = { url: receiver.url, secret: 'mine', events: KIND }
    expect((await visitor.submit('/dashboard/endpoints', fields)).html).toContain('>mine</code>')
    const { body } = await mock.get('/_mock/endpoints')
    expect(body.data).toMatchObject([{ url: receiver.url, events: [KIND] }])
  })

  it('are removed with their deliveries, after a second click', async () => {
    const { mock, visitor, receiver } = await visit()
    await deliver(mock, receiver.url)
    await visitor.post('/dashboard/endpoints', { url: `${receiver.url}/other` })
    const [removed = '', kept = ''] = idsOf(await visitor.get('/dashboard/endpoints'), 'ep')
    const path = `/dashboard/endpoints/${removed}/remove`
    const confirmation = new RegExp(
      `<details><summary>Remove…[^/]*</span></summary>\\s*<form[^>]*"${path}"`,
    )
    expect((await visitor.get('/dashboard/endpoints')).html).toMatch(confirmation)
    const after = await visitor.submit(path)
    expect(after.html).toContain('Endpoint and its deliveries removed.')
    expect(idsOf(after, 'ep')).toEqual([kept])
    expect((await visitor.get('/dashboard/deliveries')).html).not.toMatch(/dlv_\d/)
    expect((await visitor.get('/dashboard/deliveries/dlv_1')).status).toBe(404)
    expect(await mock.events()).toHaveLength(2)
    expect((await visitor.post(path)).status).toBe(404)
  })

  it('are removed only by forms of this server', async () => {
    const { mock, visitor, receiver } = await visit()
    const { body } = await mock.post('/_mock/endpoints', { url: receiver.url })
    const path = `/dashboard/endpoints/${body.id}/remove`
    expect((await visitor.post(path, {}, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await mock.get('/_mock/endpoints')).body.data).toHaveLength(1)
  })

  it('need an HTTP URL', async () => {
    const { visitor } = await visit()
    for (const url of ['javascript:alert(1)', 'ftp://x', 'http://', 'x', '']) {
      const { status } = await visitor.post('/dashboard/endpoints', { url })
      expect([url, status]).toEqual([url, 422])
    }
  })
})
