import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fakeDelivery, fakeEvent } from '@support-chat/sdk/testing'
import { type WebhookEvent, Webhooks, WebhookVerificationError } from '@support-chat/sdk/webhooks'
import { type TestContext, test } from 'vitest'
import { createReceiver } from '../typescript/src/receiver.ts'

const SECRET = 'whsec_test'
const { id } = fakeEvent('conversation.handoff')
const delivery = await fakeDelivery('conversation.handoff', { secret: SECRET })
const forged = await fakeDelivery('conversation.handoff', { secret: 'whsec_other' })

test('the response to a forged delivery has no reason; the reason is reported', async (context) => {
  const { expect } = context
  const { deliver, handled, reports } = await startReceiver(context)
  expect(await deliver(forged)).toEqual({ status: 401, text: '' })
  expect(handled).toEqual([])
  expect(reports).toEqual([expect.any(WebhookVerificationError)])
  expect(reports[0]).toMatchObject({ code: 'signature_mismatch' })
})

test('an event that could not be handled is asked for again, and then handled', async (context) => {
  const { expect } = context
  let broken = true
  const { deliver, handled, reports } = await startReceiver(context, async () => {
    if (broken) throw new Error('The database is down.')
  })
  expect(await deliver(delivery)).toEqual({ status: 503, text: '' })
  expect(reports.map(String)).toEqual(['Error: The database is down.'])
  broken = false
  expect(await deliver(delivery)).toEqual({ status: 204, text: '' })
  expect(handled).toEqual([id, id])
})

test('an event that comes again is handled once', async (context) => {
  const { expect } = context
  const { deliver, handled } = await startReceiver(context)
  expect(await deliver(delivery)).toEqual({ status: 204, text: '' })
  expect(await deliver(delivery)).toEqual({ status: 204, text: '' })
  expect(handled).toEqual([id])
})

async function startReceiver(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  handle: (event: WebhookEvent) => Promise<void> = async () => {},
) {
  const handled: string[] = []
  const reports: unknown[] = []
  const server = createReceiver({
    webhooks: new Webhooks(SECRET),
    handle: (event) => {
      handled.push(event.id)
      return handle(event)
    },
    report: (error) => reports.push(error),
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo

  async function deliver(sent: typeof delivery) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...sent })
    return { status: response.status, text: await response.text() }
  }
  return { deliver, handled, reports }
}
