/** Whether and how to trace, as the environment says it to all programs with OpenTelemetry. */
import type { Tracer } from './tracer.ts'
import { UNTRACED } from './tracer.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Either of them turns traces on. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const
/** The names of all settings: those above, those of this file, and those that the library reads. */
export const TRACING = [
  ...ENDPOINTS,
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
] as const

/**
 * Starts a tracer where the environment names a place to export to.
 *
 * @param onWarning Called with a sentence that says what is ignored or lost.
 */
export async function startTracer(
  environment: Environment,
  onWarning: (message: string) => void,
): Promise<Tracer> {
  const value = (name: string) => environment[name]?.trim() || undefined
  const isOff =
    value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || value('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff || !ENDPOINTS.some(value)) return UNTRACED
  const wrong = ENDPOINTS.find((name) => value(name) && !isHttp(value(name)))
  if (wrong) {
    onWarning(`${wrong} is not the URL of an HTTP server, so nothing is traced.`)
    return UNTRACED
  }
  const { Spans } = await import('./spans.ts')
  const sampler = value('OTEL_TRACES_SAMPLER')
  return new Spans({ sampler, argument: value('OTEL_TRACES_SAMPLER_ARG'), onWarning })
}

function isHttp(text = ''): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}
