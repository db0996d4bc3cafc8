import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'

/** Says once that spans are lost, until some arrive again. */
export class TellingExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #onWarning: (message: string) => void
  #isTold = false

  constructor(exporter: SpanExporter, onWarning: (message: string) => void) {
    this.#exporter = exporter
    this.#onWarning = onWarning
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      const isLost = result.code === ExportResultCode.FAILED
      if (isLost && !this.#isTold) {
        const cause = result.error?.message || 'no response'
        this.#onWarning(`traces cannot be exported, and are lost meanwhile: ${cause}`)
      }
      this.#isTold = isLost
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }
}
