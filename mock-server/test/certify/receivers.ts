/** A receiver that does everything right, and one that does much wrong. Both list what they have handled. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { MemoryDedupeStore, Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/node'

export const SECRET = 'whsec_certified'

export interface Running {
  url: string
  effects: string
  close: () => Promise<void>
}

export async function running(
  listener: RequestListener,
  handled: readonly string[] = [],
): Promise<Running> {
  const server = createServer((request, response) => {
    if (request.url === '/handled') response.end(JSON.stringify(handled))
    else listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${url}/webhooks`,
    effects: `${url}/handled`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** As the SDK's own handler does it. */
export function right(secrets = [SECRET]): Promise<Running> {
  const handled: string[] = []
  const store = new MemoryDedupeStore()
  const handle = async ({ id }: { id: string }) => void handled.push(id)
  const options = { store, onError: () => {} }
  return running(webhookHandler(new Webhooks(secrets), handle, options), handled)
}

/**
 * Parses before it verifies, compares with ===, handles duplicates again, trusts the order, fails on what it does not
 * know, and works before it responds.
 */
export function wrong(work: number): Promise<Running> {
  const handled: string[] = []
  const conversations = new Set<string>()
  return running(async (request, response) => {
    let text = ''
    for await (const chunk of request as IncomingMessage) text += chunk
    try {
      const event = JSON.parse(text)
      const digest = createHmac('sha256', SECRET).update(JSON.stringify(event)).digest('hex')
      if (request.headers['x-service-signature'] !== `sha256=${digest}`) {
        response.writeHead(401).end(`expected sha256=${digest}`)
        return
      }
      const { conversation_id } = event.data
      if (event.event === 'conversation.created') conversations.add(conversation_id)
      else if (conversation_id && !conversations.has(conversation_id)) throw new Error('unknown')
      if (event.event === 'future.event') throw new Error(event.event)
      await pause(work)
      handled.push(event.id)
      response.writeHead(200).end('ok')
    } catch {
      response.writeHead(500).end()
    }
  }, handled)
}
