/** What the shop's backend does with the API. */
import {
  type Conversation,
  type ConversationSummary,
  type Message,
  NotFoundError,
  type Page,
  type Source,
  type SupportChat,
} from '@support-chat/sdk'

/** Every conversation, whatever the number of pages. */
export async function listConversations(client: SupportChat): Promise<ConversationSummary[]> {
  const conversations: ConversationSummary[] = []
  for await (const conversation of client.conversations.list()) conversations.push(conversation)
  return conversations
}

/**
 * Copies conversations a page at a time.
 *
 * @param save Stores a page together with the cursor of the next one, to go on from after a crash.
 * @param cursor Where an earlier run stopped.
 */
export async function copyConversations(
  client: SupportChat,
  save: (conversations: ConversationSummary[], nextCursor: string | null) => Promise<void>,
  cursor?: string,
): Promise<void> {
  let page: Page<ConversationSummary> | null = await client.conversations.list({
    limit: 100,
    cursor,
  })
  while (page) {
    await save(page.data, page.nextCursor)
    page = await page.nextPage()
  }
}

/** The transcript as text, a line per message. */
export function formatTranscript({ transcript }: Conversation): string {
  return transcript.map(({ author, text }) => `${author.name ?? author.type}: ${text}`).join('\n')
}

/**
 * Tells a customer that their order is on its way.
 *
 * @returns null when the conversation is gone and nobody is left to tell.
 */
export async function announceShipment(
  client: SupportChat,
  conversationId: string,
  order: { number: string; carrier: string },
): Promise<Message | null> {
  const text = `Order ${order.number} is on its way with ${order.carrier}.`
  // Derived from the order: where the service honours it, a job that runs twice posts once.
  const idempotencyKey = `shipment-${order.number}`
  try {
    return await client.conversations.messages.create(conversationId, { text }, { idempotencyKey })
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Hands the shipping policy to the assistant. */
export function publishShippingPolicy(client: SupportChat): Promise<Source> {
  return client.knowledge.sources.create({
    type: 'text',
    title: 'Shipping',
    text: 'We ship within a day. Parcels take three to five working days.',
  })
}

/** The line that goes into the weekly report. */
export async function weeklyReport(client: SupportChat): Promise<string> {
  const { conversation_volume, deflection_rate, top_intents } = await client.analytics.get()
  const share = `${Math.round(deflection_rate * 100)} %`
  const intent = top_intents[0]?.intent ?? 'nothing'
  return `${conversation_volume} conversations, ${share} without a human, most often "${intent}"`
}
