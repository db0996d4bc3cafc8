import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  AsyncLocalStorageContextManager,
  api,
  OTLPTraceExporter,
  sdk,
  UndiciInstrumentation,
  W3CTraceContextPropagator,
} from '../../../../toolchains/opentelemetry.ts'
import { type Middleware, SupportChat } from '../../src/index.ts'
import { continueTrace, openTelemetry } from '../../src/opentelemetry/index.ts'
import { fakeDelivery } from '../../src/testing/index.ts'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import { Webhooks } from '../../src/webhooks/index.ts'
import { webhookHandler } from '../../src/webhooks/node.ts'
import { captureSleeps } from '../client/support.ts'

const exporter = new sdk.InMemorySpanExporter()
const provider = new sdk.TracerProvider({
  spanProcessors: [new sdk.SimpleSpanProcessor({ exporter })],
})

beforeAll(() => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)
})
afterAll(() => api.trace.disable())
beforeEach(() => exporter.reset())

const tracer = api.trace.getTracer('test')

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service that returns the statuses in turn, and keeps the trace header of each request. */
async function service(...statuses: number[]) {
  const parents: (string | undefined)[] = []
  const baseURL = await listen((request, response) => {
    parents.push(request.headers.traceparent as string | undefined)
    const status = statuses.shift() ?? 200
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"conv_1"}')
  })
  return { baseURL, parents }
}

const clientOf = (baseURL: string) =>
  new SupportChat({
    apiKey: 'sk_test_1234567890',
    baseURL,
    logLevel: 'off',
    middleware: [openTelemetry(api)],
  })

const spans = () =>
  exporter.getFinishedSpans().map(({ name, kind, attributes, status }) => {
    const { 'server.port': port, 'url.full': url, ...others } = attributes
    return { name, kind, attributes: others, status: status.code }
  })

describe('openTelemetry', () => {
  it('writes a client span by the semantic conventions, and sends its context', async () => {
    const { baseURL, parents } = await service()
    await clientOf(baseURL).conversations.get('conv_1')
    expect(spans()).toEqual([
      {
        name: 'GET /v1/conversations/{id}',
        kind: api.SpanKind.CLIENT,
        attributes: {
          'http.request.method': 'GET',
          'url.template': '/v1/conversations/{id}',
          'server.address': '127.0.0.1',
          'http.response.status_code': 200,
        },
        status: api.SpanStatusCode.UNSET,
      },
    ])
    const [span] = exporter.getFinishedSpans()
    expect(span?.attributes['server.port']).toBe(Number(new URL(baseURL).port))
    expect(span?.attributes['url.full']).toBe(`${baseURL}/v1/conversations/conv_1`)
    const { traceId, spanId } = span?.spanContext() ?? {}
    expect(parents).toEqual([`00-${traceId}-${spanId}-01`])
  })

  it('is a child of the span around the call', async () => {
    const { baseURL } = await service()
    await tracer.startActiveSpan('work', async (span) => {
      await clientOf(baseURL).conversations.get('conv_1')
      span.end()
    })
    const [call, work] = exporter.getFinishedSpans()
    expect(call?.parentSpanContext?.spanId).toBe(work?.spanContext().spanId)
  })

  it('writes a span for each attempt, with the number of the retry and the error type', async () => {
    captureSleeps()
    const { baseURL, parents } = await service(503, 200)
    await clientOf(baseURL).conversations.get('conv_1')
    expect(spans().map(({ attributes, status }) => ({ ...attributes, status }))).toEqual([
      expect.objectContaining({ 'error.type': '503', status: api.SpanStatusCode.ERROR }),
      expect.objectContaining({ 'http.request.resend_count': 1, status: api.SpanStatusCode.UNSET }),
    ])
    expect(new Set(parents).size).toBe(2)
  })

  it('names the error class where no response arrived, without the key', async () => {
    const baseURL = await listen((request) => request.socket.destroy())
    const client = clientOf(baseURL).withOptions({ maxRetries: 0 })
    await client.conversations.get('conv_1').catch(() => {})
    const [span] = exporter.getFinishedSpans()
    expect(span?.attributes['error.type']).toBe('APIConnectionError')
    expect(span?.events.map(({ name }) => name)).toEqual(['exception'])
    expect(JSON.stringify(span?.events)).not.toContain('sk_test')
  })

  it('writes an IPv6 address without brackets', async () => {
    const baseURL = (await service()).baseURL.replace('127.0.0.1', '[::1]')
    await clientOf(baseURL)
      .conversations.get('conv_1', { maxRetries: 0 })
      .catch(() => {})
    expect(exporter.getFinishedSpans()[0]?.attributes['server.address']).toBe('::1')
  })

  it('hides the key of a header that other middleware made illegal', async () => {
    const { baseURL } = await service()
    const illegal: Middleware = (request, next) => {
      request.headers.set('authorization', `${request.headers.get('authorization')}\0`)
      return next(request)
    }
    const call = clientOf(baseURL).conversations.get('conv_1', { middleware: [illegal] })
    await expect(call).rejects.toThrow(TypeError)
    const [{ status, events } = {}] = exporter.getFinishedSpans()
    const text = JSON.stringify({ status, events })
    expect(text).toContain('[redacted]')
    expect(text).not.toContain('sk_test')
  })

  it('ends its span where the caller aborts', async () => {
    const baseURL = await listen(() => {})
    const signal = AbortSignal.timeout(20)
    await clientOf(baseURL)
      .conversations.get('conv_1', { signal })
      .catch(() => {})
    await expect.poll(() => spans().map(({ status }) => status)).toEqual([api.SpanStatusCode.ERROR])
  })

  it('is exported over OTLP', async () => {
    const received: unknown[] = []
    const collector = await listen(async (request, response) => {
      received.push(await json(request))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const otlp = new OTLPTraceExporter({ url: `${collector}/v1/traces` })
    const { baseURL } = await service()
    await clientOf(baseURL).conversations.get('conv_1')
    await new Promise((done) => otlp.export(exporter.getFinishedSpans(), done))
    expect(JSON.stringify(received)).toContain('"name":"GET /v1/conversations/{id}"')
  })

  it('goes together with the instrumentation of undici, which adds its own span below', async () => {
    const instrumentation = new UndiciInstrumentation()
    instrumentation.setTracerProvider(provider)
    onTestFinished(() => instrumentation.disable())
    const { baseURL, parents } = await service()
    await clientOf(baseURL).conversations.get('conv_1')
    const [inner, outer] = exporter.getFinishedSpans()
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(parents[0]).toContain(inner?.spanContext().spanId)
  })
})

describe('continueTrace', () => {
  const webhooks = new Webhooks('whsec_test')
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  async function deliver(send: (delivery: { body: string; headers: HeadersInit }) => unknown) {
    const { body, headers } = await fakeDelivery('future', { secret: 'whsec_test' })
    await send({ body: new TextDecoder().decode(body), headers: { ...headers, traceparent } })
  }
  const work = () => tracer.startSpan('work').end()
  const parentOfWork = () => exporter.getFinishedSpans()[0]?.parentSpanContext

  it('runs the handler of a Node.js receiver in the trace of the sender', async () => {
    const url = await listen(continueTrace(api, webhookHandler(webhooks, work)))
    await deliver(({ body, headers }) => fetch(url, { method: 'POST', body, headers }))
    expect(parentOfWork()).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
    })
  })

  it('runs the handler of a fetch receiver in the trace of the sender', async () => {
    const receive = continueTrace(api, fetchHandler(webhooks, work))
    await deliver(({ body, headers }) =>
      receive(new Request('http://receiver.test', { method: 'POST', body, headers })),
    )
    expect(parentOfWork()?.spanId).toBe('b7ad6b7169203331')
  })

  it('leaves a trace alone that a server instrumentation continued', async () => {
    const receive = continueTrace(api, fetchHandler(webhooks, work))
    let server = ''
    await tracer.startActiveSpan('server', async (span) => {
      server = span.spanContext().spanId
      await deliver(({ body, headers }) =>
        receive(new Request('http://receiver.test', { method: 'POST', body, headers })),
      )
      span.end()
    })
    expect(parentOfWork()?.spanId).toBe(server)
  })

  it('begins no trace where the delivery names none', async () => {
    const receive = continueTrace(api, fetchHandler(webhooks, work))
    const { body, headers } = await fakeDelivery('future', { secret: 'whsec_test' })
    await receive(new Request('http://receiver.test', { method: 'POST', body, headers }))
    expect(parentOfWork()).toBeUndefined()
  })
})
