// What a server tells Prometheus, as Prometheus gets it.
import { afterEach, describe, expect, it } from 'vitest'
import { METRICS, METRICS_PATH } from '../src/metrics/catalogue.ts'
import { Metrics } from '../src/metrics/metrics.ts'
import { type Server, startServer } from '../src/server.ts'
import type { Store } from '../src/store/store.ts'
import { ADMIN_TOKEN, Hosted, issue, send } from './hosted/hosted.ts'
import { receiver as startReceiver } from './receiver.ts'
import { SILENT } from './support.ts'

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function embedded(token?: string): Promise<Server> {
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    contract: undefined,
    log: SILENT,
    sandbox: { store: { file: ':memory:' }, allowPrivate: true, token },
  })
  closing.push(() => server.close())
  return server
}

async function receiving(status = 204) {
  const receiver = await startReceiver((response) => void response.writeHead(status).end())
  closing.push(() => receiver.close())
  return receiver
}

/** The values by the names and labels of their series. */
async function metricsOf(server: Server, key?: string): Promise<Map<string, number>> {
  const { status, headers, body } = await send(server, METRICS_PATH, { ...(key && { key }) })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const series = (body as string).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    series.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

const deliver = (server: Server, options: { key?: string; body: object }) =>
  send(server, '/_mock/endpoints', options)
const KIND = { kind: 'conversation.resolved' }

describe('a server with a file', () => {
  it('counts requests by the class of their status, but those of monitoring', async () => {
    const server = await embedded()
    await metricsOf(server)
    for (const path of ['/v1/conversations', '/v1/nothing', '/_mock/health', METRICS_PATH]) {
      await send(server, path, { key: 'sk_test_demo' })
    }
    const metrics = await metricsOf(server)
    expect(metrics.get('support_chat_mock_requests_total{status_class="2xx"}')).toBe(1)
    expect(metrics.get('support_chat_mock_requests_total{status_class="4xx"}')).toBe(1)
    expect(metrics.get('support_chat_mock_requests_total{status_class="5xx"}')).toBe(0)
    expect(metrics.get('support_chat_mock_request_seconds_count')).toBe(1)
  })

  it('counts attempts by what they came to, and dead deliveries', async () => {
    const server = await embedded()
    await metricsOf(server)
    const [works, retries, refuses] = [
      await receiving(),
      await receiving(503),
      await receiving(410),
    ]
    for (const { url } of [works, retries, refuses]) await deliver(server, { body: { url } })
    await send(server, '/_mock/trigger', { body: KIND })
    await send(server, '/_mock/clock', { body: { advance: 'PT0S' } })
    const metrics = await metricsOf(server)
    expect(metrics.get('support_chat_mock_attempts_total{result="succeeded"}')).toBe(1)
    expect(metrics.get('support_chat_mock_attempts_total{result="failed"}')).toBe(2)
    expect(metrics.get('support_chat_mock_dead_deliveries_total')).toBe(1)
    expect(metrics.get('support_chat_mock_attempt_seconds_count')).toBe(3)
    expect(metrics.get('support_chat_mock_due_deliveries')).toBe(0)
    expect(metrics.get('support_chat_mock_replicas')).toBe(1)
  })

  it('shows them to whom it shows its control API', async () => {
    const server = await embedded('control-token')
    expect((await send(server, METRICS_PATH)).status).toBe(401)
    const headers = { 'x-mock-token': 'control-token' }
    expect((await send(server, METRICS_PATH, { headers })).status).toBe(200)
  })
})

describe('a server whose database cannot be reached', () => {
  it('tells what it knows itself', async () => {
    const failing = () => Promise.reject(new Error('unreachable'))
    const store = { connections: { active: 0, idle: 0, waiting: 3 }, outbox: { backlog: failing } }
    const text = await new Metrics().text(store as unknown as Store)
    expect(text).toContain('support_chat_mock_pool_connections{state="waiting"} 3')
    expect(text).not.toMatch(/^support_chat_mock_(?:lag_seconds|due_deliveries|replicas) /m)
  })
})

describe('a hosted server', () => {
  async function hosted() {
    const hosted = new Hosted()
    closing.push(() => hosted.close())
    return hosted
  }

  it('tells all metrics, to the admin alone', async () => {
    const server = await (await hosted()).start()
    const { key } = await issue(server)
    expect((await send(server, METRICS_PATH)).status).toBe(401)
    expect((await send(server, METRICS_PATH, { key })).status).toBe(401)
    const metrics = await metricsOf(server, ADMIN_TOKEN)
    const series = [...metrics.keys()]
    for (const name of Object.keys(METRICS)) {
      expect(
        series.some((one) => one.startsWith(name)),
        name,
      ).toBe(true)
    }
    expect(series.join('\n')).not.toContain(key)
    // From its start: the key was issued, and two requests were refused.
    expect(metrics.get('support_chat_mock_requests_total{status_class="2xx"}')).toBe(1)
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  })

  it('tells the connections of its pool and the processes that share the database', async () => {
    const all = await hosted()
    const server = await all.start({ role: 'api' })
    const alone = await metricsOf(server, ADMIN_TOKEN)
    const states = ['active', 'idle', 'waiting'].map(
      (state) => alone.get(`support_chat_mock_pool_connections{state="${state}"}`) ?? Number.NaN,
    )
    expect(states[0]).toBeGreaterThanOrEqual(0)
    expect(states[1]).toBeGreaterThan(0)
    expect(states[2]).toBe(0)
    expect(alone.get('support_chat_mock_replicas')).toBe(1)
    const worker = await all.start({ role: 'worker' })
    await expect
      .poll(async () => (await metricsOf(server, ADMIN_TOKEN)).get('support_chat_mock_replicas'))
      .toBe(2)
    expect((await metricsOf(worker, ADMIN_TOKEN)).get('support_chat_mock_replicas')).toBe(2)
  })

  it('tells what is due and for how long, until a worker has delivered it', async () => {
    const all = await hosted()
    const api = await all.start({ role: 'api' })
    const { key } = await issue(api)
    const { url } = await receiving()
    await deliver(api, { key, body: { url } })
    await send(api, '/_mock/trigger', { key, body: KIND })
    const lag = async () =>
      (await metricsOf(api, ADMIN_TOKEN)).get('support_chat_mock_lag_seconds') ?? 0
    await expect.poll(lag).toBeGreaterThan(0.2)
    const metrics = await metricsOf(api, ADMIN_TOKEN)
    expect(metrics.get('support_chat_mock_due_deliveries')).toBe(1)
    const worker = await all.start({ role: 'worker' })
    await expect
      .poll(async () =>
        (await metricsOf(worker, ADMIN_TOKEN)).get(
          'support_chat_mock_attempts_total{result="succeeded"}',
        ),
      )
      .toBe(1)
    await expect.poll(lag).toBe(0)
  })
})
