import { SupportChat } from '@support-chat/sdk'
import { explain } from './explain.ts'
import {
  announceShipment,
  copyConversations,
  formatTranscript,
  listConversations,
  publishShippingPolicy,
  weeklyReport,
} from './support.ts'

async function main(): Promise<void> {
  const client = new SupportChat() // reads SUPPORT_CHAT_API_KEY and SUPPORT_CHAT_BASE_URL

  const conversations = await listConversations(client)
  console.log(`${conversations.length} conversations`)

  await copyConversations(client, async (page, nextCursor) => {
    console.log(
      `copied ${page.length}, ${nextCursor ? `more from ${nextCursor}` : 'the last page'}`,
    )
  })

  const waiting = conversations.find(({ status }) => status === 'handed_off')
  if (!waiting) throw new Error('No conversation waits for a human.')
  const conversation = await client.conversations.get(waiting.id)
  console.log(`${conversation.id} waits for a human: ${conversation.handoff?.reason}`)

  const message = await announceShipment(client, waiting.id, { number: '20418', carrier: 'DHL' })
  console.log(message ? `posted: ${message.text}` : 'the conversation is gone')
  console.log(formatTranscript(await client.conversations.get(waiting.id)))

  const source = await publishShippingPolicy(client)
  console.log(`added ${source.title}, ${source.status}`)

  console.log(await weeklyReport(client))

  // What goes wrong is an error of its own class.
  console.log(await refusal(client.conversations.messages.create(waiting.id, { text: '' })))
  const mistaken = client.withOptions({ apiKey: 'sk_live_example' })
  console.log(await refusal(mistaken.analytics.get()))
}

/** Why a call is refused, which it must be. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const explanation = await call.then(() => null, explain)
  if (explanation === null) throw new Error('The call should have been refused.')
  return explanation
}

main().catch((error: unknown) => {
  console.error(explain(error))
  process.exitCode = 1
})
