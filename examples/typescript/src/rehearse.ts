/** Starts the receiver and sends it what the service may send, and what a stranger may. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { react } from './events.ts'
import { createReceiver } from './receiver.ts'

const SECRET = 'whsec_rehearsal'

const handoff = JSON.stringify({
  event: 'conversation.handoff',
  id: 'evt_01J2Z91J4S',
  occurred_at: '2026-03-02T09:21:48Z',
  data: {
    conversation_id: 'conv_01J2Z8M3VN',
    reason: 'The visitor asked for a human.',
    transcript_url: 'http://127.0.0.1:4010/v1/conversations/conv_01J2Z8M3VN',
  },
})
const newer = JSON.stringify({
  event: 'conversation.tagged',
  id: 'evt_01J2Z9F0AA',
  occurred_at: '2026-03-02T09:29:00Z',
  data: { tag: 'parcel' },
})

async function main(): Promise<void> {
  const receiver = createReceiver({
    webhooks: new Webhooks(SECRET),
    handle: async (event) => console.log(`  ${react(event)}`),
    report: (error) => console.log(`  refused: ${codeOf(error)}`),
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo

  async function expect(status: number, what: string, init: RequestInit): Promise<void> {
    console.log(`${what}:`)
    const response = await fetch(`http://127.0.0.1:${port}/`, init)
    console.log(`  answered ${response.status}`)
    if (response.status !== status) throw new Error(`The answer should have been ${status}.`)
  }

  try {
    const signature = await Webhooks.sign(handoff, SECRET)
    await expect(204, 'a genuine delivery', deliver(handoff, signature))
    await expect(204, 'the same event again', deliver(handoff, signature))
    await expect(204, 'a newer kind', deliver(newer, await Webhooks.sign(newer, SECRET)))
    await expect(401, 'a changed body', deliver(`${handoff} `, signature))
    await expect(401, 'no signature', deliver(handoff))
    await expect(413, 'too large a body', deliver(' '.repeat(2_000_000), signature))
    await expect(405, 'a GET', {})
  } finally {
    receiver.close()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof WebhookVerificationError ? error.code : error
}

function deliver(body: string, signature?: string): RequestInit {
  const headers = { 'content-type': 'application/json' }
  if (!signature) return { method: 'POST', headers, body }
  return { method: 'POST', headers: { ...headers, 'x-service-signature': signature }, body }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
