import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import express from 'express'
import { onTestFinished } from 'vitest'
import { webhookHandler as fetchHandler } from '../../src/webhooks/fetch.ts'
import type { Webhooks } from '../../src/webhooks/index.ts'
import {
  webhookHandler as nodeHandler,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from '../../src/webhooks/node.ts'

export type Make = (
  webhooks: Webhooks,
  handler: WebhookHandler,
  options?: WebhookHandlerOptions,
) => RequestListener

/** Every way in which a delivery can reach a handler. */
export const receivers: Record<string, Make> = {
  'node:http': nodeHandler,
  Express: (...given) => express().all('/', nodeHandler(...given)),
  'Express with raw bodies': (...given) => {
    const raw = express.raw({ type: () => true, limit: Infinity })
    return express().all('/', raw, nodeHandler(...given))
  },
  fetch: (...given) => {
    const handle = fetchHandler(...given)
    return async (incoming, outgoing) => {
      const { status, headers, body } = await handle(toRequest(incoming))
      if (body !== null) throw new Error('The response has a body.')
      outgoing.writeHead(status, Object.fromEntries(headers)).end()
    }
  },
}

/** The request that a framework's adapter passes on. */
function toRequest(incoming: IncomingMessage): Request {
  const { method = '', headersDistinct } = incoming
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null
  const init = { method, headers, body, duplex: 'half' }
  return new Request('http://127.0.0.1/', init)
}

/** Serves for the time of one test; resolves to the port. */
export async function serve(listener: RequestListener, server: Server = createServer()) {
  server.on('request', listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export interface Got {
  status: number | undefined
  allow: string | undefined
  text: string
}

/** Sends a request with node:http, which sends headers as they are, repeated ones too. */
export async function send(
  port: number,
  method: string,
  body: Uint8Array,
  headers: readonly string[],
  path = '/',
): Promise<Got> {
  const usual = ['host', '127.0.0.1', 'content-length', `${body.length}`]
  const outgoing = request({ port, path, method, headers: [...usual, ...headers], agent: false })
  const responded = once(outgoing, 'response')
  outgoing.end(body)
  const [response] = (await responded) as [IncomingMessage]
  // The connection may end while the body is still on its way.
  outgoing.on('error', () => {})
  const { statusCode: status } = response
  return { status, allow: response.headers.allow, text: await text(response) }
}
