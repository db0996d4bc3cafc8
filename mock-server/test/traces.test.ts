// Spans that a server exports to a collector of OpenTelemetry.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Collector } from './collector.ts'
import { Commands } from './command.ts'
import { type Receiver, receiver as startReceiver } from './receiver.ts'

const [SERVER, CLIENT, PRODUCER] = [2, 3, 4]
const KIND = 'conversation.message'
const ROUTE = '/v1/conversations/{id}/messages'
const ID = 'conv_01J2Z7Q4KX'

let collector: Collector
let commands: Commands
let endpoint: string
let receiver: Receiver | undefined
beforeEach(async () => {
  collector = new Collector()
  endpoint = await collector.start()
  commands = new Commands()
})
afterEach(async () => {
  commands.close()
  collector.close()
  await receiver?.close()
  receiver = undefined
})

const serve = (env: Record<string, string> = {}, ...args: string[]) =>
  commands.serve(['--memory', '--time-scale', '0.0001', ...args], {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    ...env,
  })

async function post(url: string, path: string, body: object, headers = {}): Promise<Response> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk_test_secret',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  expect(response.status).toBeLessThan(300)
  return response
}

/** Posts a message, which sends an event. */
const say = (url: string, headers = {}) =>
  post(url, `${ROUTE.replace('{id}', ID)}`, { text: 'Your parcel is private.' }, headers)

describe('a trace', () => {
  it('goes from the client over the call and its event to each attempt', async () => {
    let isUp = false
    receiver = await startReceiver((response) => {
      response.writeHead(isUp ? 204 : 503).end()
      isUp = true
    })
    const server = await serve({ OTEL_SERVICE_NAME: 'early-access' })
    const added = { url: `${receiver.url}/hooks/private?token=private`, events: [KIND] }
    await post(server.url, '/_mock/endpoints', added)
    const traceId = randomBytes(16).toString('hex')
    const parentId = randomBytes(8).toString('hex')
    await say(server.url, { traceparent: `00-${traceId}-${parentId}-01` })
    await receiver.until(2)
    await server.stop()

    const [call, ...others] = collector.named(`POST ${ROUTE}`)
    const [event] = collector.named(`send ${KIND}`)
    const attempts = collector.named(`deliver ${KIND}`)
    expect(others).toEqual([])
    expect(call).toMatchObject({ kind: SERVER, traceId, parentSpanId: parentId, isFailed: false })
    expect(call?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': ROUTE,
      'http.response.status_code': 201,
    })
    expect(call?.resource).toMatchObject({ 'service.name': 'early-access' })
    expect(event).toMatchObject({ kind: PRODUCER, traceId, parentSpanId: call?.spanId })
    expect(
      attempts.map(({ kind, traceId, parentSpanId, isFailed, attributes }) => {
        const { 'webhook.attempt': attempt, 'http.response.status_code': status } = attributes
        return { kind, traceId, parentSpanId, isFailed, attempt, status }
      }),
    ).toEqual([
      {
        kind: CLIENT,
        traceId,
        parentSpanId: event?.spanId,
        isFailed: true,
        attempt: 1,
        status: 503,
      },
      {
        kind: CLIENT,
        traceId,
        parentSpanId: event?.spanId,
        isFailed: false,
        attempt: 2,
        status: 204,
      },
    ])
    const { id } = JSON.parse(receiver.received[0]?.body ?? '')
    expect(attempts[0]?.attributes['messaging.message.id']).toBe(id)
    for (const secret of ['sk_test_secret', 'private', 'parcel', 'whsec_']) {
      expect(collector.text).not.toContain(secret)
    }
    // A receiver gets what the contract names, and nothing of ours.
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent')
  })

  it('does not have what others made due', async () => {
    const server = await serve()
    await post(server.url, '/v1/knowledge/sources', { type: 'url', url: 'https://shop.test/faq' })
    await post(server.url, '/_mock/clock', { advance: 'PT1M' })
    await server.stop()
    const [event] = collector.named('send knowledge.indexed')
    expect(event?.parentSpanId).toBe('')
  })

  it('has nothing that a client writes', async () => {
    const server = await serve()
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
    await say(server.url, { traceparent, tracestate: 'shop=private' })
    await server.stop()
    expect(collector.named(`POST ${ROUTE}`)).toHaveLength(1)
    expect(collector.text).not.toContain('private')
  })

  it('is in the lines of the log', async () => {
    const server = await serve({}, '--log-level', 'info')
    await say(server.url)
    await server.stop()
    const [call] = collector.named(`POST ${ROUTE}`)
    const lines = server.stderr().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        message: 'request',
        status: 201,
        trace_id: call?.traceId,
        span_id: call?.spanId,
      }),
    )
  })

  it('is not made where the environment says so', async () => {
    for (const [name, value] of [
      ['OTEL_SDK_DISABLED', 'true'],
      ['OTEL_TRACES_EXPORTER', 'none'],
      ['OTEL_TRACES_SAMPLER', 'always_off'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', ''],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ] as const) {
      const server = await serve({ [name]: value })
      await say(server.url)
      await server.stop()
    }
    expect(collector.spans).toEqual([])
  })

  it('is not that of health checks', async () => {
    const server = await serve()
    await fetch(`${server.url}/_mock/health`)
    await say(server.url)
    await server.stop()
    expect(collector.spans.filter(({ kind }) => kind === SERVER)).toHaveLength(1)
  })
})

it('a collector that cannot be reached costs the traces alone, and is told of once', async () => {
  collector.close()
  const server = await serve({ OTEL_TRACES_SAMPLER: 'sometimes' })
  for (let count = 0; count < 3; count++) expect((await say(server.url)).status).toBe(201)
  expect(await server.stop()).toBe(0)
  const lines = server.stderr().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).message)).toEqual([
    expect.stringContaining('OTEL_TRACES_SAMPLER'),
    expect.stringContaining('traces cannot be exported'),
  ])
})
