/** The pages about the sandbox, as a browser without JavaScript meets them. */
import { describe, expect, it } from 'vitest'
import { OTHER } from './kinds.ts'
import { SEEDED } from './sandboxed.ts'
import { deliver, happen, idsOf, linkOf, settled, textOf, visit } from './visitor.ts'

/** `dlv_3`, `dlv_2`, `dlv_1`. */
const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => `dlv_${from - index}`)

describe('a conversation', () => {
  it('can be created, handed off, resolved and rated with forms alone', async () => {
    const { mock, visitor } = await visit()
    const opened = await visitor.submit('/dashboard/conversations', { name: 'Ada', text: 'Hello.' })
    const [, id = ''] = /<h1>Conversation (\S+)<\/h1>/.exec(opened.html) ?? []
    const path = `/dashboard/conversations/${id}`
    expect(textOf(opened)).toContain('Ada , visitor · 2026-11-21 12:00:00 Hello.')

    const said = await visitor.submit(`${path}/messages`, {
      author: 'visitor',
      text: 'One\r\ntwo',
    })
    expect(said.html).toContain('>One\ntwo</p>')
    await mock.post(`/v1/conversations/${id}/messages`, { text: 'From the team.' })
    const handedOff = await visitor.submit(`${path}/handoff`, { reason: 'It is urgent.' })
    expect(textOf(handedOff)).toContain('agent · 2026-11-21 12:00:00 From the team.')
    expect(textOf(handedOff)).toContain('It is urgent.')
    expect(handedOff.html).not.toContain(`${path}/handoff`)

    const resolved = await visitor.submit(`${path}/resolve`)
    expect(resolved.html).not.toContain(`${path}/messages`)
    const rated = await visitor.submit(`${path}/csat`, { rating: '4', comment: 'Fine.' })
    expect(textOf(rated)).toContain('Rating 4 of 5')
    expect(rated.html).not.toContain(`action="${path}`)

    const kinds = (await mock.events()).map(({ event }: { event: string }) => event.split('.')[1])
    expect(kinds).toEqual([
      'created',
      'message',
      'message',
      'message',
      'handoff',
      'resolved',
      'csat',
    ])
    expect(textOf(await visitor.get('/dashboard/conversations'))).toContain(`${id} Ada resolved`)
  })

  it('is not changed by an impossible step, and the page gives the reason', async () => {
    const { visitor } = await visit()
    const path = `/dashboard/conversations/${SEEDED.resolved}`
    const { status, html } = await visitor.post(`${path}/messages`, {
      author: 'visitor',
      text: 'Hello?',
    })
    expect(status).toBe(409)
    expect(html).toContain('is resolved and accepts no more messages')
    expect((await visitor.get('/dashboard/conversations/conv_none')).status).toBe(404)
  })

  it('accepts only what the control API accepts', async () => {
    const { mock, visitor } = await visit()
    const path = `/dashboard/conversations/${SEEDED.open}`
    for (const [action, fields, reason] of [
      ['messages', { author: 'visitor' }, 'The field &quot;text&quot; is empty. Fill it in.'],
      ['messages', { author: 'agent', text: 'x'.repeat(10_001) }, 'has more than 10000 characters'],
      ['handoff', { reason: ' ' }, 'is empty'],
      ['csat', { rating: '6' }, 'The field &quot;rating&quot; must be one of 1, 2, 3, 4, 5.'],
    ] as const) {
      const { status, html } = await visitor.post(`${path}/${action}`, fields)
      expect([action, status]).toEqual([action, 422])
      expect(html).toContain(reason)
    }
    expect(await mock.events()).toEqual([])
  })

  it('is answered as an agent', async () => {
    const { mock, visitor } = await visit()
    const path = `/dashboard/conversations/${SEEDED.open}`
    await visitor.submit(`${path}/messages`, { author: 'agent', text: 'From the team.' })
    const [event] = await mock.events()
    expect(event.data.message).toMatchObject({ author: { type: 'agent' }, text: 'From the team.' })
  })

  it('keeps what was typed into a form that is refused', async () => {
    const { visitor } = await visit()
    const path = `/dashboard/conversations/${SEEDED.open}`
    const typed = { author: 'agent', text: `${'x'.repeat(10_000)} <b>` }
    const { status, html } = await visitor.post(`${path}/messages`, typed)
    expect(status).toBe(422)
    expect(html).toContain('x &lt;b&gt;</textarea>')
    const endpoint = { url: 'ftp://a', events: 'conversation.csat', secret: 'mine' }
    const refused = await visitor.post('/dashboard/endpoints', endpoint)
    for (const kept of ['value="ftp://a"', 'value="mine"', 'value="conversation.csat" checked']) {
      expect(refused.html).toContain(kept)
    }
  })

  it('shows its newest hundred messages, and older ones on request', async () => {
    const { mock, visitor } = await visit()
    const id = await mock.create('Message 1.')
    for (let i = 2; i <= 201; i++) {
      await mock.post(`/_mock/conversations/${id}/messages`, { text: `Message ${i}.` })
    }
    const newest = await visitor.get(`/dashboard/conversations/${id}`)
    expect(textOf(newest)).toContain('102 to 201 of 201 messages.')
    expect(newest.html).not.toContain('Message 101.')
    const older = await visitor.get(linkOf(newest, 'Older messages') ?? '')
    expect(textOf(older)).toContain('2 to 101 of 201 messages.')
    const refreshed = await visitor.send(`/dashboard/conversations/${id}`, {
      headers: { 'hx-request': 'true' },
    })
    expect(refreshed.html).toMatch(/^<div id="live">/)
    expect(refreshed.html).not.toContain('<form method="post" action="/dashboard/key"')
  })

  it('is found on an older page where there are many', async () => {
    const { mock, visitor } = await visit()
    for (let i = 0; i < 50; i++) await mock.create(`Number ${i}`)
    const first = await visitor.get('/dashboard/conversations')
    const second = await visitor.get(linkOf(first, 'Older conversations') ?? '')
    const ids = [first, second].map((page) => idsOf(page, 'conv'))
    expect(ids.map(({ length }) => length)).toEqual([50, 3])
    expect(new Set(ids.flat()).size).toBe(53)
    expect(linkOf(first, 'Newest conversations')).toBeUndefined()
    expect(linkOf(second, 'Older conversations')).toBeUndefined()
    expect(linkOf(second, 'Newest conversations')).toBe('/dashboard/conversations')
  })
})

describe('deliveries', () => {
  it('show every attempt with its time, status, reason, headers and body', async () => {
    const { mock, visitor, receiver } = await visit()
    Object.assign(receiver.response, {
      status: 503,
      headers: { 'retry-after': '7' },
      body: 'not now',
    })
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    await mock.create()
    await settled(mock)
    await visitor.submit('/dashboard/clock', { advance: 'PT1H' })

    const page = await visitor.get('/dashboard/deliveries/dlv_1')
    expect(page.html.match(/<details id="attempt-/g)).toHaveLength(2)
    expect(textOf(page)).toMatch(/1\. 2026-11-21 12:00:00 · 503: the receiver failed · [\d.]+ ms/)
    expect(textOf(page)).toMatch(/2\. 2026-11-21 12:1\d:\d\d · 503: the receiver failed/)
    expect(textOf(page)).toContain('retry-after 7')
    expect(textOf(page)).toContain('not now')
    // An hour after the second attempt, and a tenth more or less.
    expect(textOf(page)).toMatch(/Next attempt 2026-11-21 13:[01]\d:\d\d/)
  })

  it('are shown by their state', async () => {
    const { mock, visitor, receiver } = await visit()
    await deliver(mock, receiver.url)
    expect((await visitor.get('/dashboard/deliveries?state=succeeded')).html).toContain('dlv_1')
    const none = await visitor.get('/dashboard/deliveries?state=pending')
    expect(none.html).not.toContain('dlv_1')
    expect(none.html).toContain('<option selected>pending</option>')
    expect((await visitor.get('/dashboard/deliveries?state=nonsense')).html).toContain('dlv_1')
  })

  it('are found on older pages, which new deliveries do not move', async () => {
    const { mock, visitor, receiver } = await visit()
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    await happen(mock, 101)
    const first = await visitor.get('/dashboard/deliveries')
    await happen(mock, 2)
    const second = await visitor.get(linkOf(first, 'Older deliveries') ?? '')
    const third = await visitor.get(linkOf(second, 'Older deliveries') ?? '')
    expect(idsOf(first, 'dlv')).toEqual(down(101, 52))
    expect(idsOf(second, 'dlv')).toEqual(down(51, 2))
    expect(idsOf(third, 'dlv')).toEqual(['dlv_1'])
    expect(linkOf(first, 'Newest deliveries')).toBeUndefined()
    expect(linkOf(third, 'Older deliveries')).toBeUndefined()
    const newest = await visitor.get(linkOf(third, 'Newest deliveries') ?? '')
    expect(idsOf(newest, 'dlv')).toEqual(down(103, 54))
  })

  it('are filtered by state on older pages too', async () => {
    const { mock, visitor, receiver } = await visit()
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    receiver.response.status = 410
    await happen(mock, 51)
    receiver.response.status = 200
    await happen(mock, 51)
    for (const [state, first, last] of [
      ['dead', down(51, 2), 'dlv_1'],
      ['succeeded', down(102, 53), 'dlv_52'],
    ] as const) {
      const newest = await visitor.get(`/dashboard/deliveries?state=${state}`)
      const older = await visitor.get(linkOf(newest, 'Older deliveries') ?? '')
      expect([idsOf(newest, 'dlv'), idsOf(older, 'dlv')]).toEqual([first, [last]])
      expect(older.html).toContain(`<option selected>${state}</option>`)
      const again = await visitor.get(linkOf(older, 'Newest deliveries') ?? '')
      expect(idsOf(again, 'dlv')).toEqual(first)
    }
  })

  it('that are dead are counted and replayed across all pages', async () => {
    const { mock, visitor, receiver } = await visit()
    receiver.response.status = 410
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    await happen(mock, 52)
    const newest = await visitor.get('/dashboard/dead')
    const address = linkOf(newest, 'Older dead letters') ?? ''
    const older = await visitor.get(address)
    expect([idsOf(newest, 'dlv'), idsOf(older, 'dlv')]).toEqual([down(52, 3), down(2, 1)])
    for (const page of [newest, older]) {
      expect(textOf(page)).toContain('52 dead deliveries. Replay all')
    }
    receiver.response.status = 200
    await visitor.submit('/dashboard/replay')
    await settled(mock)
    const empty = await visitor.get(address)
    expect(textOf(empty)).toContain('0 dead deliveries.')
    expect(empty.html).not.toContain('Replay all')
    expect(linkOf(empty, 'Newest dead letters')).toBe('/dashboard/dead')
    expect(textOf(await visitor.get('/dashboard/deliveries/dlv_1'))).toContain('2 attempts')
  })

  it('that are dead are counted up to a thousand', async () => {
    // On a busy machine an attempt may take longer than its usual timeout.
    const { mock, visitor, receiver } = await visit({ attemptTimeout: 300_000 })
    receiver.response.status = 410
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    await happen(mock, 1001)
    expect(textOf(await visitor.get('/dashboard/dead'))).toContain('1000 dead deliveries or more.')
  })

  it('that are dead are replayed one by one or all at once', async () => {
    const { mock, visitor, receiver } = await visit()
    Object.assign(receiver.response, { status: 410, headers: {}, body: '' })
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    for (let i = 0; i < 3; i++) await mock.create()
    await settled(mock)
    expect((await visitor.get('/dashboard/dead')).html).toContain('3 dead deliveries')

    Object.assign(receiver.response, { status: 200, headers: {}, body: '' })
    const replayed = await visitor.submit('/dashboard/deliveries/dlv_2/replay')
    expect(replayed.html).toContain('Delivery replayed.')
    await settled(mock)
    expect(textOf(await visitor.get('/dashboard/deliveries/dlv_2'))).toContain(
      'succeeded, 2 attempts',
    )
    expect((await visitor.get('/dashboard/dead')).html).toContain('2 dead deliveries')
    await visitor.submit('/dashboard/replay')
    await settled(mock)
    expect((await visitor.get('/dashboard/dead')).html).toContain('0 dead deliveries')
  })

  it('wait while they are paused, and are attempted or cancelled one by one', async () => {
    const { mock, visitor, receiver } = await visit()
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    const paused = await visitor.submit('/dashboard/deliveries/pause')
    expect(textOf(paused)).toContain('Paused. Resume')
    await happen(mock, 3)
    await visitor.submit('/dashboard/deliveries/dlv_1/retry')
    await visitor.submit('/dashboard/deliveries/dlv_2/cancel')
    const stateOf = async (id: string) => (await mock.get(`/_mock/deliveries/${id}`)).body.state
    await expect.poll(() => stateOf('dlv_1')).toBe('succeeded')
    expect([await stateOf('dlv_2'), await stateOf('dlv_3')]).toEqual(['dead', 'pending'])
    await visitor.submit('/dashboard/deliveries/resume')
    await settled(mock)
    expect(await stateOf('dlv_3')).toBe('succeeded')
    expect((await visitor.post('/dashboard/deliveries/dlv_3/cancel')).status).toBe(409)
  })

  it('of a filter are counted, and replayed together', async () => {
    const { mock, visitor, receiver } = await visit()
    await visitor.post('/dashboard/endpoints', { url: receiver.url })
    await happen(mock, 2)
    await mock.create()
    await settled(mock)
    const all = await visitor.get('/dashboard/deliveries')
    expect(textOf(all)).toContain('0 pending, 3 succeeded, 0 dead.')
    const some = await visitor.get(`/dashboard/deliveries?kind=${OTHER}`)
    expect(textOf(some)).toContain('0 pending, 2 succeeded, 0 dead. Replay 2')
    const none = await visitor.get('/dashboard/deliveries?until=2026-11-21T12:00:00')
    expect(textOf(none)).toContain('No deliveries match.')
    await visitor.submit('/dashboard/replay', { kind: OTHER })
    await settled(mock)
    const { body } = await mock.get('/_mock/deliveries')
    const attempts = body.data.map(({ attempts }: { attempts: unknown[] }) => attempts.length)
    expect(attempts).toEqual([1, 2, 2])
  })

  it('that are unknown are a 404', async () => {
    const { visitor } = await visit()
    expect((await visitor.get('/dashboard/deliveries/dlv_9')).status).toBe(404)
    expect((await visitor.post('/dashboard/deliveries/dlv_9/replay')).status).toBe(404)
  })
})

describe('the event log', () => {
  it('has older pages, which new events do not move', async () => {
    const { mock, visitor } = await visit()
    await happen(mock, 52)
    const logged = (await mock.events()).map(({ id }: { id: string }) => id).reverse()
    const first = await visitor.get('/dashboard/events')
    await happen(mock, 1)
    const second = await visitor.get(linkOf(first, 'Older events') ?? '')
    expect([...idsOf(first, 'evt'), ...idsOf(second, 'evt')]).toEqual(logged)
    expect(textOf(second)).toContain('2 events on this page.')
    expect(linkOf(second, 'Older events')).toBeUndefined()
    expect(linkOf(second, 'Newest events')).toBe('/dashboard/events')
  })

  it('leads from a delivery to its event, to the conversation, and back', async () => {
    const { mock, visitor, receiver } = await visit()
    await deliver(mock, receiver.url)
    await mock.create()
    await settled(mock)
    const { event_id: id } = (await mock.get('/_mock/deliveries')).body.data.at(-1)
    const delivery = await visitor.get('/dashboard/deliveries/dlv_1')
    const event = await visitor.get(linkOf(delivery, id) ?? '')
    expect(idsOf(event, 'dlv')).toEqual(['dlv_1'])
    for (const page of [delivery, event]) {
      const address = /href="(\/dashboard\/conversations\/conv_\w+)"/.exec(page.html)?.[1] ?? ''
      const conversation = await visitor.get(address)
      expect(conversation.html).toContain('javascript:alert(1)')
      const events = await visitor.get(linkOf(conversation, 'of this conversation') ?? '')
      expect(idsOf(events, 'evt')).toContain(id)
      expect(idsOf(events, 'evt')).toHaveLength(2)
    }
    expect((await visitor.get('/dashboard/events/evt_none')).status).toBe(404)
  })
})

describe('a sandbox', () => {
  it('is that of the key that was chosen, until another one is', async () => {
    const { mock, visitor } = await visit()
    const other = { key: 'sk_test_other' }
    const id = await mock.create('Hello.', other)
    expect((await visitor.get('/dashboard/conversations')).html).not.toContain(id)
    const chosen = await visitor.submit('/dashboard/key', other)
    expect(chosen.html).toContain('value="sk_test_other"')
    expect((await visitor.get('/dashboard/conversations')).html).toContain(id)
    expect((await visitor.submit('/dashboard/key', { key: 'sk_test_demo' })).html).not.toContain(id)
  })

  it('accepts no live key, nor one that cannot be sent', async () => {
    const { visitor } = await visit()
    for (const key of ['sk_live_1', 'two words', 'schlüssel', '']) {
      const { status, headers } = await visitor.post('/dashboard/key', { key })
      expect([key, status, headers.get('set-cookie')]).toEqual([key, 422, null])
    }
    const forged = await visitor.send('/', { headers: { cookie: 'mock_key=sk_live_1' } })
    expect(forged.html).toContain('value="sk_test_demo"')
    const broken = await visitor.send('/', { headers: { cookie: 'mock_key=%ff' } })
    expect(broken.html).toContain('value="sk_test_demo"')
  })

  it('can be reset, and its clock can be advanced', async () => {
    const { mock, visitor } = await visit()
    const id = await mock.create('Hello.')
    const later = await visitor.submit('/dashboard/clock', { advance: 'PT24H' })
    expect(later.html).toContain('<span id="clock"><time datetime="2026-11-22T12:00:00Z">')
    expect((await visitor.post('/dashboard/clock', { advance: 'PT1000H' })).status).toBe(422)
    const reset = await visitor.submit('/dashboard/reset')
    expect(reset.html).toContain('<span id="clock"><time datetime="2026-11-21T12:00:00Z">')
    expect(reset.html).not.toContain(id)
  })
})

describe('the address without a page', () => {
  it('redirects to the first one', async () => {
    const { visitor } = await visit()
    for (const path of ['/dashboard', '/dashboard/']) {
      const { status, headers } = await visitor.get(path)
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/'])
    }
  })
})
