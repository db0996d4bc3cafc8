// The part of `@opentelemetry/api` that the adapter uses. Users pass the API in, so that this package
// depends on no release of it, and spans reach the API that the application has registered.

/** A context of OpenTelemetry. Opaque here. */
// biome-ignore lint/suspicious/noExplicitAny: the API's own type, in any of its releases
type Context = any

type Attributes = Record<string, string | number>

/** A span of OpenTelemetry. */
export interface OpenTelemetrySpan {
  setAttribute(name: string, value: string | number): unknown
  setStatus(status: { code: number; message?: string }): unknown
  recordException(exception: Error): void
  end(): void
}

/** `@opentelemetry/api` 1.x, as `import * as api from '@opentelemetry/api'` gives it. */
export interface OpenTelemetryAPI {
  readonly SpanKind: { readonly CLIENT: number }
  readonly SpanStatusCode: { readonly ERROR: number }
  readonly trace: {
    getTracer(
      name: string,
      version?: string,
    ): {
      startSpan(
        name: string,
        options: { kind: number; attributes: Attributes },
        context: Context,
      ): OpenTelemetrySpan
    }
    // biome-ignore lint/suspicious/noExplicitAny: takes the API's own span, which has more members
    setSpan(context: Context, span: any): Context
    getSpanContext(context: Context): unknown
  }
  readonly context: {
    active(): Context
    with<T>(context: Context, run: () => T): T
  }
  readonly propagation: {
    inject(
      context: Context,
      carrier: Headers,
      setter: { set(carrier: Headers, name: string, value: string): void },
    ): void
    extract(
      context: Context,
      carrier: CarrierHeaders,
      getter: {
        keys(carrier: CarrierHeaders): string[]
        get(carrier: CarrierHeaders, name: string): string | string[] | undefined
      },
    ): Context
  }
}

/** The headers of a delivery, of Node.js or of the web. */
export type CarrierHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>
