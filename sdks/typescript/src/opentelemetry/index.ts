import { withoutKey } from '../core/message.js'
import type { Middleware } from '../core/middleware.js'
import { credential } from '../generated/contract.js'
import { PACKAGE } from '../generated/names.js'
import { VERSION } from '../version.js'
import type { CarrierHeaders, OpenTelemetryAPI } from './api.js'

export type { CarrierHeaders, OpenTelemetryAPI, OpenTelemetrySpan } from './api.js'

/**
 * Makes middleware that writes a client span for each attempt, by OpenTelemetry's semantic
 * conventions for HTTP, and sends the trace context with the request. The span is named after the
 * method and the path template, and ends when the headers of the response arrive.
 *
 * @param api The module `@opentelemetry/api`.
 * @example
 * import * as api from '@opentelemetry/api'
 *
 * const client = new Client({ middleware: [openTelemetry(api)] })
 */
export function openTelemetry(api: OpenTelemetryAPI): Middleware {
  const { context, propagation, trace } = api
  return async (request, next, { method, template, retry }) => {
    const { hostname, port, protocol, origin, pathname } = new URL(request.url)
    const attributes = {
      'http.request.method': method,
      'url.template': template,
      // Without the query, which may hold personal data.
      'url.full': origin + pathname,
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      ...(retry > 0 && { 'http.request.resend_count': retry }),
    }
    const options = { kind: api.SpanKind.CLIENT, attributes }
    const parent = context.active()
    const span = trace
      .getTracer(PACKAGE, VERSION)
      .startSpan(`${method} ${template}`, options, parent)
    const own = trace.setSpan(parent, span)
    propagation.inject(own, request.headers, setter)

    function fail(type: string, message?: string): void {
      span.setAttribute('error.type', type)
      span.setStatus({ code: api.SpanStatusCode.ERROR, ...(message && { message }) })
    }

    try {
      const response = await context.with(own, () => next(request))
      span.setAttribute('http.response.status_code', response.status)
      if (response.status >= 400) fail(`${response.status}`)
      return response
    } catch (error) {
      const { name, message: full } = error instanceof Error ? error : new Error(String(error))
      const message = withoutKey(full, { apiKey: keyIn(request.headers) })
      fail(name, message)
      span.recordException({ name, message })
      throw error
    } finally {
      span.end()
    }
  }
}

/** The key of a request. An error that is not of this package may quote it. */
function keyIn(headers: Headers): string {
  return credential ? (headers.get(credential.header) ?? '').slice(credential.prefix.length) : ''
}

/**
 * Wraps a receiver of deliveries: its handler runs in the trace that the headers of the delivery
 * name. Where an instrumentation of the server has begun a span already, that span stays the parent.
 *
 * @param api The module `@opentelemetry/api`.
 * @example
 * createServer(continueTrace(api, webhookHandler(webhooks, handle)))
 */
export function continueTrace<
  Request extends { readonly headers: CarrierHeaders },
  Rest extends unknown[],
  Result,
>(
  api: OpenTelemetryAPI,
  receiver: (request: Request, ...rest: Rest) => Result,
): (request: Request, ...rest: Rest) => Result {
  const { context, propagation, trace } = api
  return (request, ...rest) => {
    const active = context.active()
    if (trace.getSpanContext(active)) return receiver(request, ...rest)
    const sent = propagation.extract(active, request.headers, getter)
    return context.with(sent, () => receiver(request, ...rest))
  }
}

const setter = {
  set: (headers: Headers, name: string, value: string) => headers.set(name, value),
}

const getter = {
  keys: (headers: CarrierHeaders) =>
    headers instanceof Headers ? [...headers.keys()] : Object.keys(headers),
  get: (headers: CarrierHeaders, name: string) =>
    headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name.toLowerCase()],
}
