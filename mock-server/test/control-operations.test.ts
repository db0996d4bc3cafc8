import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadContract } from '../src/contract/load.ts'
import { CONTROL } from './oracle-of.ts'
import { type Sandboxed, sandboxed } from './sandboxed.ts'

const NOWHERE = 'http://127.0.0.1:9/hooks'
let mock: Sandboxed
beforeAll(async () => {
  mock = await sandboxed({ allowPrivate: false })
})
afterAll(() => mock.close())

let keys = 0
/** A key that no test has used. */
const fresh = () => ({ key: `sk_test_${keys++}` })

/** A delivery that is dead, since nothing may be sent to this machine. */
async function deadDelivery(one: { key: string }) {
  await mock.post('/_mock/endpoints', { url: NOWHERE }, one)
  await mock.create(undefined, one)
  await mock.sandboxes.settled(await mock.sandboxes.of(one.key))
  const [delivery] = (await mock.get('/_mock/deliveries', one)).body.data
  expect(delivery.state).toBe('dead')
  return delivery
}

it('every operation responds as control.yaml describes', async () => {
  const one = fresh()
  const { id: delivery } = await deadDelivery(one)
  const conversation = await mock.create('Hello?', one)
  await mock.sandboxes.settled(await mock.sandboxes.of(one.key))
  const created = await mock.get('/_mock/deliveries?kind=conversation.created', one)
  const [{ id: other }] = created.body.data
  const [{ id: endpoint }] = (await mock.get('/_mock/endpoints', one)).body.data
  // No delivery waits for this listener yet. If one did, the clock would wait for its consumer.
  const listening = await mock.post('/_mock/listeners', { url: 'http://127.0.0.1:9/other' }, one)
  const listener = listening.body.id
  const { headers } = await mock.get('/v1/conversations', one)
  const request = headers['x-request-id']
  const calls: Record<string, [status: number, body?: unknown]> = {
    'GET /_mock/requests?status=200': [200],
    'GET /_mock/requests.har': [200],
    [`GET /_mock/requests/${request}`]: [200],
    [`POST /_mock/requests/${request}/repeat`]: [201, {}],
    'POST /_mock/faults': [201, { status: 429, times: 1 }],
    'GET /_mock/faults': [200],
    'DELETE /_mock/faults/flt_1': [204],
    'DELETE /_mock/faults': [204],
    'POST /_mock/clock': [200, { advance: 'PT1S' }],
    [`GET /_mock/deliveries/${delivery}`]: [200],
    'POST /_mock/snapshots': [201, { name: 'a' }],
    'GET /_mock/snapshots': [200],
    'POST /_mock/snapshots/a/restore': [200, {}],
    'DELETE /_mock/snapshots/a': [204],
    'POST /_mock/deliveries/pause': [200, {}],
    [`POST /_mock/deliveries/${delivery}/replay`]: [202, {}],
    'POST /_mock/replay': [202, { kind: 'conversation.created' }],
    [`POST /_mock/deliveries/${other}/cancel`]: [200, {}],
    [`POST /_mock/deliveries/${delivery}/retry`]: [202, {}],
    'POST /_mock/deliveries/resume': [200, { order: 'reverse' }],
    [`POST /_mock/endpoints/${endpoint}/disable`]: [200, {}],
    [`POST /_mock/endpoints/${endpoint}/enable`]: [200, {}],
    'POST /_mock/conversations': [201, { text: 'Hello?', name: 'Ada' }],
    [`POST /_mock/conversations/${conversation}/messages`]: [201, { text: 'Hello?' }],
    [`POST /_mock/conversations/${conversation}/handoff`]: [200, { reason: 'Requested.' }],
    [`POST /_mock/conversations/${conversation}/resolve`]: [200, {}],
    [`POST /_mock/conversations/${conversation}/csat`]: [200, { rating: 4 }],
    'POST /_mock/endpoints': [201, { url: NOWHERE, events: ['knowledge.indexed'] }],
    [`POST /_mock/endpoints/${endpoint}/rotate`]: [200, {}],
    'POST /_mock/trigger': [201, { kind: 'knowledge.indexed' }],
    [`DELETE /_mock/endpoints/${endpoint}`]: [204],
    'GET /_mock/endpoints': [200],
    'GET /_mock/events': [200],
    'GET /_mock/contract': [200],
    'GET /_mock/deliveries?state=dead&kind=conversation.created': [200],
    [`POST /_mock/listeners/${listener}/poll`]: [200, { consumer: 'me', holding: [], limit: 10 }],
    [`POST /_mock/listeners/${listener}/results`]: [
      200,
      {
        results: [{ id: 'dlv_0', status: 204, reason: null, retry: false, headers: {}, body: '' }],
      },
    ],
    'PUT /_mock/revision': [200, { name: null }],
    'POST /_mock/listeners/secret': [200, {}],
    'POST /_mock/reset': [204, {}],
  }
  const called = new Set(['POST /_mock/listeners'])
  for (const [call, [status, body]] of Object.entries(calls)) {
    const [method = '', target = ''] = call.split(' ')
    const response = await mock.call(method, target, { ...one, body })
    expect(response.status, call).toBe(status)
    const template = target
      .replace(/\?.*/, '')
      .replace(/(conv|ep|dlv|req|flt)_\w+/, '{id}')
      .replace(/\/a(?=\/|$)/, '/{name}')
    called.add(`${method} ${template}`)
  }
  const { operations } = await loadContract(CONTROL, '')
  const all = operations.map(({ method, path }) => `${method} ${path}`)
  expect([...called].sort()).toEqual(all.sort())
})
