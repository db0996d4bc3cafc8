/** Webhooks of two revisions at once, each verified by the rules of its own. */
import { createHmac } from 'node:crypto'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Judge } from '../edited/judge.ts'
import type { Node } from '../edited/tools.ts'
import { type Receiver, receiver, responding } from '../receiver.ts'
import { documentOf, NEW, OLD, Pairs } from './pairs.ts'

const pairs = new Pairs()
const HANDOFF = 'conversation.handoff'
let old: Receiver
let now: Receiver
beforeEach(async () => {
  old = await receiver()
  now = await receiver()
})
afterEach(async () => {
  await Promise.all([old.close(), now.close()])
})
afterAll(() => pairs.clean())

/** Two endpoints, one under each revision. */
async function endpoints(options: { events?: [string, string] } = {}) {
  const [first, second] = options.events ?? []
  const ofOld = await pairs.old('/_mock/endpoints', {
    url: old.url,
    ...(first && { events: [first] }),
  })
  const ofNew = await pairs.now('/_mock/endpoints', {
    url: now.url,
    ...(second && { events: [second] }),
  })
  expect([ofOld.revision, ofNew.revision]).toEqual([OLD, NEW])
  return { ofOld, ofNew }
}

const settled = () => pairs.old('/_mock/clock', { advance: 'PT1S' })
const bodies = ({ received }: Receiver): Node[] => received.map(({ body }) => JSON.parse(body))
const kinds = (of: Receiver) => bodies(of).map(({ event }) => event)

describe('an endpoint', () => {
  it('receives the kinds, fields and signatures of its revision', async () => {
    const document = documentOf('a renamed kind of event', NEW)
    document['x-webhook-signature'].header = 'x-signature'
    document['x-webhook-signature'].event_header = 'x-kind'
    document['x-webhook-signature'].encodings.values = ['base64', 'hex']
    const contracts = [pairs.file(documentOf('nothing', OLD)), pairs.file(document)]
    await pairs.start({ contracts, strict: true })
    const { ofOld, ofNew } = await endpoints({ events: [HANDOFF, 'handoff.requested'] })
    const { id } = await pairs.old('/_mock/conversations', { text: 'Hello' })
    await pairs.now(`/_mock/conversations/${id}/handoff`, { reason: 'A refund.' })
    await settled()

    expect([kinds(old), kinds(now)]).toEqual([[HANDOFF], ['handoff.requested']])
    const [first] = old.received
    const event = await new Webhooks(ofOld.secret).unwrap(first?.body ?? '', first?.headers ?? {})
    expect(event).toMatchObject({ event: HANDOFF, data: { reason: 'A refund.' } })
    expect(first?.headers).toMatchObject({ 'x-service-event': HANDOFF })
    expect(first?.headers).not.toHaveProperty('x-signature')

    const { headers = {}, body = '' } = now.received[0] ?? {}
    const digest = createHmac('sha256', ofNew.secret).update(body).digest('base64')
    expect(headers).toMatchObject({
      'x-signature': `sha256=${digest}`,
      'x-kind': 'handoff.requested',
    })
    expect(headers).not.toHaveProperty('x-service-signature')
    new Judge(document).event('handoff.requested', JSON.parse(body))
    expect(JSON.parse(body).id).toBe(event.id)
  })

  it('receives a renamed field under the name of its revision', async () => {
    await pairs.serve('renamed fields of the envelope and the data of events')
    await endpoints()
    await pairs.old('/_mock/trigger', { kind: HANDOFF, data: { reason: 'From the old one.' } })
    await pairs.now('/_mock/trigger', { kind: HANDOFF, data: { cause: 'From the new one.' } })
    await settled()
    const reasons = ['From the old one.', 'From the new one.']
    expect(bodies(old).map(({ data }) => data.reason)).toEqual(reasons)
    expect(bodies(now).map(({ data }) => data.cause)).toEqual(reasons)
    expect(bodies(old)[0]).toHaveProperty('occurred_at')
    expect(bodies(now)[0]).toHaveProperty('created_at')
  })

  it('receives links to the path of its revision', async () => {
    await pairs.serve('other paths')
    await endpoints()
    const { id } = await pairs.old('/_mock/conversations', {})
    await pairs.old(`/_mock/conversations/${id}/handoff`, { reason: 'A refund.' })
    await pairs.old('/_mock/trigger', { kind: HANDOFF })
    await settled()
    const links = (of: Receiver) =>
      bodies(of).flatMap(({ data }) =>
        data.transcript_url ? new URL(data.transcript_url).pathname : [],
      )
    const { conversation_id: other } = bodies(old).at(-1).data
    expect(links(old)).toEqual([`/v1/conversations/${id}`, `/v1/conversations/${other}`])
    expect(links(now)).toEqual([`/v2/threads/${id}`, `/v2/threads/${other}`])
  })

  it('alone receives a kind that only its revision has', async () => {
    await pairs.serve('a new kind of event')
    await endpoints()
    const kind = 'conversation.assigned'
    expect((await pairs.call('/_mock/trigger', { body: { kind } })).status).toBe(422)
    await pairs.now('/_mock/trigger', { kind })
    await settled()
    expect([kinds(old), kinds(now)]).toEqual([[], [kind]])
    expect((await pairs.old('/_mock/events')).data).toEqual([])
    expect((await pairs.now('/_mock/events')).data).toMatchObject([{ event: kind }])
    await pairs.serve('a removed kind of event')
    await endpoints()
    await pairs.old('/_mock/trigger', { kind: 'conversation.csat' })
    await settled()
    expect([kinds(old), kinds(now)]).toEqual([['conversation.csat'], [kind]])
  })

  it('is named in the body, too, by a revision that exists', async () => {
    await pairs.serve('a renamed field')
    const body = { url: now.url, revision: NEW }
    expect(await pairs.old('/_mock/endpoints', body)).toMatchObject({ revision: NEW })
    await pairs.old('/_mock/trigger', { kind: 'conversation.message' })
    await settled()
    expect(bodies(now)[0].data.message).toHaveProperty('body')
    const { data } = await pairs.old('/_mock/endpoints')
    expect(data).toMatchObject([{ url: now.url, revision: NEW }])
    expect(await pairs.old('/_mock/endpoints', { ...body, revision: '9' })).toMatchObject({
      status: 422,
      detail: 'There is no revision "9". Use one of: 1.0.0, 2.0.0.',
    })
  })

  it('gets retries and replays as the first attempt', async () => {
    let status = 503
    await now.close()
    now = await receiver((response, ...rest) => responding(status)(response, ...rest))
    await pairs.serve('a renamed header of requests and of signatures')
    await endpoints()
    await pairs.old('/_mock/trigger', { kind: HANDOFF })
    await pairs.old('/_mock/clock', { advance: 'PT24H' })
    status = 204
    const [delivery] = (await pairs.now('/_mock/deliveries?state=dead')).data
    await pairs.old(`/_mock/deliveries/${delivery.id}/replay`, {})
    await settled()
    expect(now.received).toHaveLength(6)
    const sent = now.received.map(({ headers, body }) => `${headers['x-signature']} ${body}`)
    expect(new Set(sent).size).toBe(1)
    expect(sent[0]).toMatch(/^sha256=[0-9a-f]{64} /)
    expect(old.received).toHaveLength(1)
  })

  it('stays with its revision in tests', async () => {
    const webhooks = [{ url: old.url }, { url: now.url, revision: NEW }]
    const mock = await pairs.serve('a renamed field', { webhooks })
    await mock.trigger('conversation.message')
    await mock.deliveries()
    await mock.reset()
    await mock.trigger('conversation.message')
    await mock.deliveries()
    const fieldsOf = (of: Receiver) => bodies(of).map(({ data }) => 'body' in data.message)
    expect([fieldsOf(old), fieldsOf(now)]).toEqual([
      [false, false],
      [true, true],
    ])
    const unknown = mock.addEndpoint({ url: old.url, revision: '9' })
    await expect(unknown).rejects.toThrow('There is no revision "9".')
  })
})

describe('a listener', () => {
  it('polls for the events of its revision', async () => {
    await pairs.serve('a renamed header of requests and of signatures')
    const url = 'http://127.0.0.1:9/'
    const listener = await pairs.now('/_mock/listeners', { url })
    expect(listener.revision).toBe(NEW)
    const poll = { consumer: 'one', holding: [], limit: 10 }
    await pairs.old('/_mock/trigger', { kind: HANDOFF })
    const { data } = await pairs.old(`/_mock/listeners/${listener.id}/poll`, poll)
    expect(data[0].headers).toMatchObject({ 'x-kind': HANDOFF })
    expect(await pairs.old('/_mock/listeners', { url })).toMatchObject({
      status: 409,
      detail: expect.stringContaining('receives events of revision 2.0.0'),
    })
  })
})

describe('data of a trigger', () => {
  it('is replaced where another revision refuses it, which that one says', async () => {
    const document = documentOf('nothing', NEW)
    document.components.schemas.ConversationCsatData.properties.comment.maxLength = 60
    const contracts = [pairs.file(documentOf('nothing', OLD)), pairs.file(document)]
    await pairs.start({ contracts, strict: true })
    await endpoints()
    const comment = 'Long. '.repeat(11)
    const sent = await pairs.old('/_mock/trigger', {
      kind: 'conversation.csat',
      data: { rating: 2, comment },
    })
    await settled()
    expect(bodies(old)).toEqual([sent])
    const [event] = bodies(now)
    new Judge(document).event('conversation.csat', event)
    expect(event.data).toMatchObject({ rating: 2, comment: null })
    const { deviations } = await pairs.now('/_mock/contract')
    const fields = deviations.map(({ where, field, action }: Node) => `${where} ${action} ${field}`)
    expect(fields).toContain('event conversation.csat replaced /data/comment')
    const body = { kind: 'conversation.csat', data: { comment } }
    expect((await pairs.call('/_mock/trigger', { body, revision: NEW })).status).toBe(422)
  })
})
