/** A collector of OpenTelemetry: takes spans as JSON, over HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Collected {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId: string
  isFailed: boolean
  attributes: Record<string, unknown>
  /** Of the process. */
  resource: Record<string, unknown>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP
type Json = any

export class Collector {
  readonly spans: Collected[] = []
  /** What came, as text. */
  text = ''
  readonly #server = createServer(async (request, response) => {
    const sent = await text(request)
    this.text += sent
    for (const { resource, scopeSpans } of JSON.parse(sent).resourceSpans) {
      for (const { spans } of scopeSpans) {
        for (const span of spans) this.spans.push(collected(span, recordOf(resource.attributes)))
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })

  /** @returns the URL to export to */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  named(name: string): Collected[] {
    return this.spans.filter((span) => span.name === name)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

function collected(span: Json, resource: Record<string, unknown>): Collected {
  const { name, kind, traceId, spanId, parentSpanId = '', status = {} } = span
  const attributes = recordOf(span.attributes)
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    isFailed: status.code === 2,
    attributes,
    resource,
  }
}

function recordOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
