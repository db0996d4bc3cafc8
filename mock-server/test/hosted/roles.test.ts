// What the processes of a hosted server do: requests, deliveries, health, and secrets at rest.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Cipher } from '../../src/hosted/cipher.ts'
import type { Role } from '../../src/hosted/options.ts'
import { startTracer } from '../../src/tracing/settings.ts'
import { Collector } from '../collector.ts'
import { receiver as startReceiver } from '../receiver.ts'
import { Hosted, issue, send } from './hosted.ts'

let hosted: Hosted
beforeEach(() => {
  hosted = new Hosted()
})
afterEach(() => {
  vi.unstubAllEnvs()
  return hosted.close()
})

describe('a process that serves requests', () => {
  it('leaves the deliveries to one that delivers', async () => {
    const receiver = await startReceiver()
    const api = await hosted.start({ role: 'api' })
    const { key } = await issue(api)
    await send(api, '/_mock/endpoints', { key, body: { url: receiver.url } })
    await send(api, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
    const delivery = async () => (await send(api, '/_mock/deliveries', { key })).body.data[0]
    await expect
      .poll(async () => (await send(api, '/_mock/health')).body.lag_seconds)
      .toBeGreaterThan(1)
    expect(await delivery()).toMatchObject({ state: 'pending', attempts: [] })
    await hosted.start({ role: 'worker' })
    await expect.poll(async () => (await delivery()).state).toBe('succeeded')
    expect(receiver.received).toHaveLength(1)
    // From now on, without the wait for a poll.
    await send(api, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
    await send(api, '/_mock/clock', { key, body: { advance: 'PT0S' } })
    expect(receiver.received).toHaveLength(2)
    await receiver.close()
  })
})

describe('a trace', () => {
  it('goes on in the process that delivers', async () => {
    const collector = new Collector()
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', await collector.start())
    const started = async (role: Role) => {
      return hosted.start({ role }, { tracer: await startTracer(process.env, () => {}) })
    }
    const receiver = await startReceiver()
    const servers = [await started('api'), await started('worker')] as const
    const [api] = servers
    const { key } = await issue(api)
    await send(api, '/_mock/endpoints', { key, body: { url: receiver.url } })
    await send(api, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
    await receiver.until(1)
    for (const server of servers) await server.close()
    const [event] = collector.named('send conversation.resolved')
    const [attempt] = collector.named('deliver conversation.resolved')
    expect([attempt?.traceId, attempt?.parentSpanId]).toEqual([event?.traceId, event?.spanId])
    collector.close()
    await receiver.close()
  })
})

describe('a process that delivers', () => {
  it('serves nothing but monitoring', async () => {
    const worker = await hosted.start({ role: 'worker' })
    expect((await send(worker, '/_mock/health/live')).status).toBe(200)
    for (const path of ['/', '/v1/conversations', '/_mock/deliveries', '/_mock/admin/keys']) {
      const { status, body } = await send(worker, path)
      expect([path, status, body.detail]).toEqual([
        path,
        404,
        'This process only delivers events. Send requests to one with the role api.',
      ])
    }
  })
})

describe('the health', () => {
  it('tells how many processes there are, and what waits', async () => {
    const first = await hosted.start()
    await hosted.start({ role: 'worker' })
    const health = async () => (await send(first, '/_mock/health')).body
    await expect.poll(async () => (await health()).processes).toBe(2)
    expect(await health()).toEqual({
      status: 'ok',
      store: 'ok',
      processes: 2,
      due_deliveries: 0,
      lag_seconds: 0,
    })
  })

  it('is not ready while a process drains, which still serves', async () => {
    const server = await hosted.start()
    const { key } = await issue(server)
    expect((await send(server, '/_mock/health/ready')).status).toBe(200)
    server.drain()
    const ready = await send(server, '/_mock/health/ready')
    expect([ready.status, ready.body]).toEqual([503, { status: 'draining' }])
    expect((await send(server, '/_mock/health/live')).status).toBe(200)
    expect((await send(server, '/v1/conversations', { key })).status).toBe(200)
  })
})

describe('signing secrets', () => {
  const newKey = () => randomBytes(32).toString('base64')
  const stored = async () =>
    (await hosted.schema.run('SELECT secret FROM {endpoints}')).map(({ secret }) => String(secret))

  it('are encrypted at rest, and again after the key was rotated', async () => {
    const [before, after] = [newKey(), newKey()]
    const receiver = await startReceiver()
    const first = await hosted.start({}, { cipher: new Cipher([before]) })
    const { key } = await issue(first)
    const { body } = await send(first, '/_mock/endpoints', { key, body: { url: receiver.url } })
    await send(first, '/_mock/snapshots', { key, body: { name: 'before' } })
    const [sealed = ''] = await stored()
    expect(sealed).toMatch(/^v1\./)
    expect(sealed).not.toContain(body.secret)
    await first.close()

    const both = new Cipher([after, before])
    const second = await hosted.start({}, { cipher: both })
    await expect.poll(async () => (await stored()).every((one) => both.isCurrent(one))).toBe(true)
    // What a snapshot brings back is sealed anew, too.
    await send(second, '/_mock/snapshots/before/restore', { key, body: {} })
    await second.close()

    const third = await hosted.start({}, { cipher: new Cipher([after]) })
    await send(third, '/_mock/trigger', { key, body: { kind: 'conversation.resolved' } })
    await send(third, '/_mock/clock', { key, body: { advance: 'PT0S' } })
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })
})
