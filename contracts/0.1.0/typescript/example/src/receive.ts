import type { AddressInfo } from 'node:net'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { react } from './events.ts'
import { createReceiver } from './receiver.ts'

const receiver = createReceiver({
  webhooks: new Webhooks(process.env.SUPPORT_CHAT_WEBHOOK_SECRET ?? ''),
  handle: async (event) => console.log(`${event.id}: ${react(event)}`),
  report: (error) => console.error(String(error)),
})

receiver.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const { port } = receiver.address() as AddressInfo
  console.log(`Receiving events on http://127.0.0.1:${port}`)
})
