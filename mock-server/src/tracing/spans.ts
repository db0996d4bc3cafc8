/**
 * The spans of a server, exported by OTLP over HTTP.
 *
 * A request is a server span in the trace of its client. An event that it makes is a producer span below, and keeps its
 * place in the store. So an attempt is a client span below the event, however late it is and whichever process makes it.
 * No span has a key, a query, a body or the path of a receiver, since each of them may be a secret.
 */
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type Tracer as SpanMaker,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { packageVersion } from '../assets.ts'
import type { Sent } from '../delivery/sender.ts'
import type { Handler, HttpRequest, HttpResponse } from '../door/message.ts'
import { type Change, type Event, isListener, type Job } from '../store/types.ts'
import { type SamplerSetting, samplerOf } from './sampler.ts'
import { TellingExporter } from './telling-exporter.ts'
import type { Tracer } from './tracer.ts'

const NAME = 'support-chat-mock'
/** How long the last spans may take to be sent, in milliseconds. */
const PATIENCE = 3_000
/** How long one export may take with its retries, in milliseconds. */
const TIMEOUT = 2_000
/** Others are not told apart: anybody can make them up. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export class Spans implements Tracer {
  readonly #provider: TracerProvider
  readonly #maker: SpanMaker
  readonly #contexts = new AsyncLocalStorageContextManager().enable()
  readonly #propagator = new W3CTraceContextPropagator()

  constructor(setting: SamplerSetting) {
    const exporter = new TellingExporter(
      new OTLPTraceExporter({ timeoutMillis: TIMEOUT }),
      setting.onWarning,
    )
    const own = { 'service.name': NAME, 'service.version': packageVersion() }
    const given = detectResources({
      detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector],
    })
    this.#provider = new TracerProvider({
      sampler: samplerOf(setting),
      resource: defaultResource().merge(resourceFromAttributes(own)).merge(given),
      spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: PATIENCE })],
    })
    this.#maker = this.#provider.getTracer(NAME, packageVersion())
  }

  serving(handler: Handler, isMonitoring: (target: string) => boolean): Handler {
    return (request) =>
      isMonitoring(request.target) ? handler(request) : this.#serve(handler, request)
  }

  async committing(change: Change, commit: (change: Change) => Promise<void>): Promise<void> {
    const { events } = change
    if (!events) return commit(change)
    const spans = events.map((event) => this.#emit(event))
    const placed = events.map((event, index) => ({ ...event, trace: this.#placeOf(spans[index]) }))
    // A span that does not end is not exported: after a conflict the events are made again.
    await commit({ ...change, events: placed })
    for (const span of spans) span.end()
  }

  async attempting(job: Job, attempt: () => Promise<Sent | null>): Promise<Sent | null> {
    const { event, endpoint } = job
    const parent = this.#contextOf(event.trace ?? undefined)
    const attributes = { ...attributesOf(job), ...receiverOf(endpoint.url) }
    const options = { kind: SpanKind.CLIENT, attributes }
    const span = this.#maker.startSpan(`deliver ${event.kind}`, options, parent)
    const sent = await this.#contexts.with(trace.setSpan(parent, span), attempt)
    // No attempt was made.
    if (!sent) return sent
    if (sent.status !== null) span.setAttribute('http.response.status_code', sent.status)
    if (sent.reason !== null) fail(span, `${sent.status ?? 'no_response'}`, sent.reason)
    span.end()
    return sent
  }

  apart<T>(work: () => T): T {
    return this.#contexts.with(ROOT_CONTEXT, work)
  }

  place() {
    const context = trace.getSpan(this.#contexts.active())?.spanContext()
    return context && { trace_id: context.traceId, span_id: context.spanId }
  }

  async stop(): Promise<void> {
    // What cannot be sent is lost, and was told.
    await this.#provider.shutdown().catch(() => {})
  }

  async #serve(handler: Handler, request: HttpRequest): Promise<HttpResponse> {
    // Without `tracestate`, in which a client can write what it likes.
    const parent = this.#contextOf(request.headers.traceparent)
    const findings = request.findings ?? {}
    request.findings = findings
    const method = METHODS.includes(request.method) ? request.method : '_OTHER'
    const attributes = { 'http.request.method': method }
    const options = { kind: SpanKind.SERVER, attributes }
    const span = this.#maker.startSpan(nameOf(method), options, parent)
    try {
      const response = await this.#contexts.with(trace.setSpan(parent, span), () =>
        handler(request),
      )
      const { route, id } = findings
      span.setAttribute('http.response.status_code', response.status)
      if (id !== undefined) span.setAttribute('request.id', id)
      if (route !== undefined) {
        span.updateName(nameOf(method, route)).setAttribute('http.route', route)
      }
      if (response.status >= 500) fail(span, `${response.status}`)
      return response
    } finally {
      span.end()
    }
  }

  /** Notes that an event is made. */
  #emit({ id, kind }: Event): Span {
    const attributes = { ...messageOf(id, kind), 'messaging.operation.type': 'send' }
    const options = { kind: SpanKind.PRODUCER, attributes }
    return this.#maker.startSpan(`send ${kind}`, options, this.#contexts.active())
  }

  /** A place in a trace, as the header `traceparent` has it (W3C Trace Context). */
  #placeOf(span: Span | undefined): string | null {
    if (!span) return null
    const carrier: { traceparent?: string } = {}
    this.#propagator.inject(trace.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter)
    return carrier.traceparent ?? null
  }

  #contextOf(traceparent: string | undefined): Context {
    if (traceparent === undefined) return ROOT_CONTEXT
    return this.#propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)
  }
}

function nameOf(method: string, route?: string): string {
  const shown = method === '_OTHER' ? 'HTTP' : method
  return route === undefined ? shown : `${shown} ${route}`
}

function messageOf(id: string, kind: string): Attributes {
  return {
    'messaging.system': 'webhooks',
    'messaging.destination.name': kind,
    'messaging.message.id': id,
  }
}

function attributesOf({ id, sandbox, endpoint, event, attempted }: Job): Attributes {
  return {
    ...messageOf(event.id, event.kind),
    'webhook.attempt': attempted + 1,
    'webhook.delivery.id': id,
    'webhook.endpoint.id': endpoint.id,
    'webhook.sandbox': sandbox.id,
  }
}

function receiverOf(url: string): Attributes {
  const { protocol, hostname, port } = URL.parse(url) ?? {}
  if (isListener({ url }) || !hostname) return {}
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}

function fail(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
}
