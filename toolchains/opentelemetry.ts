import { load } from '../scripts/toolchain/packages.ts'

export const api = load<typeof import('@opentelemetry/api')>('@opentelemetry/api')
export const { AsyncLocalStorageContextManager } = load<
  typeof import('@opentelemetry/context-async-hooks')
>('@opentelemetry/context-async-hooks')
export const sdk = load<typeof import('@opentelemetry/sdk-trace')>('@opentelemetry/sdk-trace')
export const { OTLPTraceExporter } = load<typeof import('@opentelemetry/exporter-trace-otlp-http')>(
  '@opentelemetry/exporter-trace-otlp-http',
)
export const { W3CTraceContextPropagator } =
  load<typeof import('@opentelemetry/core')>('@opentelemetry/core')
export const { UndiciInstrumentation } = load<
  typeof import('@opentelemetry/instrumentation-undici')
>('@opentelemetry/instrumentation-undici')
