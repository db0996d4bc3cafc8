// A valid call of each operation of an OpenAPI document, made from its examples and schemas.

import { BaseResolver, bundle, createConfig } from '@redocly/openapi-core'
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { sample } from 'openapi-sampler'

export interface Call {
  method: string
  /** With its parameters and query, without the base path. */
  path: string
  basePath: string
  headers: Record<string, string>
  body: string | undefined
  /** The status to expect. */
  success: number
}

type Node = Record<string, unknown>
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace']

/** Calls of at most so many operations, spread evenly. */
export async function callsOf(file: string, most: number): Promise<Call[]> {
  const config = await createConfig({})
  const read = await bundle({ ref: file, config, externalRefResolver: new BaseResolver() })
    .then(({ bundle }) => bundle.parsed as Node)
    .catch(() => ({}) as Node)
  const document: Node =
    read.swagger === undefined ? read : (upgradeFromTwoToThree(read) as unknown as Node)
  const all = Object.entries(object(document.paths)).flatMap(([path, node]) => {
    const item = resolved(document, node)
    return METHODS.filter((method) => item[method]).flatMap((method) => {
      const call = callOf(document, { path, method, item })
      return call ? [call] : []
    })
  })
  const step = Math.max(1, all.length / most)
  return Array.from(
    { length: Math.min(all.length, most) },
    (_, i) => all[Math.floor(i * step)],
  ).filter((call) => call !== undefined)
}

function callOf(
  document: Node,
  { path: template, method, item }: { path: string; method: string; item: Node },
): Call | undefined {
  const operation = object(item[method])
  const codes = Object.keys(object(operation.responses))
  const code = codes.filter((one) => /^2(\d\d|XX)$/i.test(one)).sort()[0]
  if (code === undefined) return undefined
  const parameters = [...list(operation.parameters), ...list(item.parameters)].map((one) =>
    resolved(document, one),
  )
  const values = (where: string) =>
    parameters.filter((one) => one.in === where && (where === 'path' || one.required === true))
  const value = (one: Node) => textOf(valueFor(document, one))
  const filled = template.replace(/\{([^}]*)\}/g, (_, name) => {
    const parameter = values('path').find((one) => one.name === name) ?? {}
    return encodeURIComponent(value(parameter) || '1')
  })
  const query = [...values('query'), ...keysInQuery(document)].map(
    (one) => `${encodeURIComponent(String(one.name))}=${encodeURIComponent(value(one) || '1')}`,
  )
  const fields = values('header').map((one) => [String(one.name).toLowerCase(), value(one) || '1'])
  const [type, body] = bodyOf(document, resolved(document, operation.requestBody))
  return {
    method: method.toUpperCase(),
    path:
      filled + (query.length > 0 ? `${filled.includes('?') ? '&' : '?'}${query.join('&')}` : ''),
    basePath: basePathOf(operation.servers ?? item.servers ?? document.servers),
    headers: {
      ...Object.fromEntries(fields),
      ...credentials(document),
      ...(type !== undefined && { 'content-type': type }),
    },
    body,
    success: Number(code.replace(/XX$/i, '00')),
  }
}

/** The keys that the document wants in the query, as parameters. */
function keysInQuery(document: Node): Node[] {
  return Object.values(object(object(document.components).securitySchemes))
    .map((node) => resolved(document, node))
    .filter(({ type, in: where }) => type === 'apiKey' && where === 'query')
}

/** Credentials of every sort that the document names. */
function credentials(document: Node): Record<string, string> {
  const found: Record<string, string> = { authorization: 'Bearer token' }
  for (const node of Object.values(object(object(document.components).securitySchemes))) {
    const { type, in: where, name, scheme } = resolved(document, node)
    if (type === 'http' && String(scheme).toLowerCase() === 'basic') {
      found.authorization = 'Basic YTpi'
    }
    if (type === 'apiKey' && where === 'header') found[String(name).toLowerCase()] = 'key'
    if (type === 'apiKey' && where === 'cookie') found.cookie = `${String(name)}=key`
  }
  return found
}

/** The media type and the text of a body; the first one that is JSON, a form or text. */
function bodyOf(document: Node, { content }: Node): [string?, string?] {
  const contents = Object.entries(object(content))
  const [type, node] = contents.find(([one]) => /json/.test(one)) ?? contents[0] ?? []
  if (type === undefined) return []
  const value = valueFor(document, object(node))
  if (/json/.test(type) || type === '*/*') {
    return [type === '*/*' ? 'application/json' : type, JSON.stringify(value ?? {})]
  }
  if (type.includes('urlencoded')) {
    const pairs = Object.entries(object(value)).map(([name, one]) => [name, textOf(one)])
    return [type, new URLSearchParams(pairs).toString()]
  }
  if (type.includes('multipart')) {
    const parts = Object.entries(object(value)).map(
      ([name, one]) =>
        `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${textOf(one)}\r\n`,
    )
    return ['multipart/form-data; boundary=b', `${parts.join('')}--b--\r\n`]
  }
  return [type, typeof value === 'string' ? value : JSON.stringify(value ?? '')]
}

/** The example of a parameter or a body, else a value of its schema. */
function valueFor(document: Node, node: Node): unknown {
  const [named] = Object.values(object(node.examples)).map((one) => resolved(document, one).value)
  if (node.example !== undefined || named !== undefined) return node.example ?? named
  const [content] = Object.values(object(node.content))
  const schema = node.schema ?? object(content).schema
  if (schema === undefined) return undefined
  try {
    return sample(
      schema as object,
      { skipReadOnly: true, quiet: true, maxSampleDepth: 8 },
      document,
    )
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

function basePathOf(servers: unknown): string {
  const { url = '', variables } = object(list(servers)[0])
  const filled = String(url).replace(/\{([^}]+)\}/g, (_, name) =>
    String(object(object(variables)[name]).default ?? ''),
  )
  const base = 'http://localhost'
  return URL.canParse(filled, base) ? new URL(filled, base).pathname.replace(/\/+$/, '') : ''
}

function resolved(document: Node, node: unknown, depth = 0): Node {
  const { $ref } = object(node)
  if (typeof $ref !== 'string' || depth > 20) return object(node)
  const steps = $ref.replace(/^#\/?/, '').split('/').map(decoded)
  return resolved(
    document,
    steps.reduce<unknown>((at, step) => object(at)[step], document),
    depth + 1,
  )
}

function decoded(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return /%/.test(plain) ? decodeURIComponent(plain) : plain
}

function object(node: unknown): Node {
  return typeof node === 'object' && node !== null && !Array.isArray(node) ? (node as Node) : {}
}

function list(node: unknown): unknown[] {
  return Array.isArray(node) ? node : []
}
