/** Posts a message, reads it back, and handles events until it is ended. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SupportChat } from '@support-chat/sdk'
import { MemoryDedupeStore, type WebhookEvent, Webhooks } from '@support-chat/sdk/webhooks'
import { webhookHandler } from '@support-chat/sdk/webhooks/node'

const { SUPPORT_CHAT_BASE_URL: baseURL, SUPPORT_CHAT_API_KEY: apiKey } = process.env

async function control(path: string, body: object): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${baseURL}/_mock/${path}`, init)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, string>
}

let failures = 0

function handle(event: WebhookEvent): void {
  if (event.event !== 'conversation.message') throw new Error(`unexpected ${event.event}`)
  const { text } = event.data.message
  if (text === 'Not now.' && ++failures <= 5) {
    console.log(`failed: ${text}`)
    throw new Error(text)
  }
  console.log(`handled: ${text}`)
}

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
const { secret = '' } = await control('endpoints', { url, events: ['conversation.message'] })
const store = new MemoryDedupeStore()
server.on('request', webhookHandler(new Webhooks(secret), handle, { store, onError: () => {} }))

const client = new SupportChat()
const { id = '' } = await control('conversations', {})
const { text } = await client.conversations.messages.create(id, { text: 'On its way.' })
console.log(`posted: ${text}`)
const { transcript } = await client.conversations.get(id)
console.log(`read: ${transcript.map((message) => message.text).join(', ')}`)
