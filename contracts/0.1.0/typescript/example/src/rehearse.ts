/** Starts the receiver and sends it what the service may send, and what a stranger may. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fakeDelivery } from '@support-chat/sdk/testing'
import { Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { react } from './events.ts'
import { createReceiver } from './receiver.ts'

const SECRET = 'whsec_rehearsal'

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
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...init })
    console.log(`  returned ${response.status}`)
    if (response.status !== status) throw new Error(`The status should have been ${status}.`)
  }

  try {
    const handoff = await fakeDelivery('conversation.handoff', { secret: SECRET })
    const newer = await fakeDelivery('future', { secret: SECRET })
    await expect(204, 'a genuine delivery', handoff)
    await expect(204, 'the same event again', handoff)
    await expect(204, 'a newer kind', newer)
    await expect(401, 'another body', { ...handoff, body: newer.body })
    await expect(401, 'no signature', { ...handoff, headers: {} })
    await expect(413, 'too large a body', { ...handoff, body: ' '.repeat(2_000_000) })
    await expect(405, 'a GET', { method: 'GET' })
  } finally {
    receiver.close()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof WebhookVerificationError ? error.code : error
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
