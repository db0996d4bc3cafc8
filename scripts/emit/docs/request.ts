import type { Api, Operation } from '../../model/types.ts'
import { type Body, callThatShows, type Given } from '../core/examples.ts'
import { blocks, fenced } from '../core/markdown.ts'
import { type Sent, targetOf } from '../core/program.ts'

/** Where `npm start` serves. */
const ORIGIN = 'http://127.0.0.1:4010'

/**
 * The request of an operation as HTTP, which readers of the documentation site can edit and send; nothing where no
 * short one shows it.
 */
export function exampleRequest(operation: Operation, api: Api, key: string): string {
  const sent = requestOf(operation, api)
  if (!sent) return ''
  const { credential } = api
  const headers = {
    ...(credential && { [credential.header]: credential.prefix + key }),
    ...sent.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${titled(name)}: ${value}`)
  const head = [`${sent.method} ${targetOf(sent)}`, ...lines].join('\n')
  const text = sent.body ? `${head}\n\n${sent.body.text}` : head
  return blocks('Try it:', '<!-- try it -->', fenced('http', text))
}

/** A request of an operation, made of the contract's examples; null where no short one shows it. */
export function requestOf(operation: Operation, { credential, decls }: Api): Sent | null {
  const call = callThatShows(operation, decls, {})
  if (!call) return null
  const { path, query, body, key } = call
  const inPath = new Map(path.map(({ wire, value }) => [wire, encodeURIComponent(value)]))
  const headerNames = new Set(operation.headerParams.map(({ wire }) => wire))
  const content = body ? objectOf(body) : null
  const headers: Array<readonly [string, string]> = [
    ...query.filter(({ wire }) => headerNames.has(wire)).map(pair),
    ...(key && operation.idempotency ? [[operation.idempotency.header, key] as const] : []),
    ...(content === null ? [] : [['content-type', operation.body?.contentType ?? ''] as const]),
  ]
  return {
    method: operation.verb,
    origin: ORIGIN,
    path: operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => inPath.get(name) ?? ''),
    query: new URLSearchParams(
      query.filter(({ wire }) => !headerNames.has(wire)).map(pair),
    ).toString(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    hasKey: credential !== null,
    body: content === null ? null : { text: JSON.stringify(content, null, 2), isBase64: false },
  }
}

function pair({ wire, value }: Given): [string, string] {
  return [wire, String(value)]
}

function objectOf({ fields }: Body): object {
  return Object.fromEntries(fields.map(({ wire, value }) => [wire, value]))
}

function titled(header: string): string {
  return header.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}
