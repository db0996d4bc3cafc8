/** One of everything that the sandbox makes, to try the contract's forms with. */
import { analyticsOf, STATUSES, sourceOf, summaryOf, timestamp } from './shapes.ts'

const AT = Date.parse('2026-03-02T09:14:07.125Z')
const LATER = Date.parse('2026-03-02T09:21:48Z')

/** The ids in the samples. */
export interface SampleIds {
  conversation: string
  message: string
  source: string
  event: string
}

/** What the sandbox sends with its events, by its own names of the kinds. */
export const KINDS = [
  'conversation.created',
  'conversation.message',
  'conversation.handoff',
  'conversation.resolved',
  'conversation.csat',
  'knowledge.indexed',
] as const
export type Kind = (typeof KINDS)[number]

export function samplesOf(ids: SampleIds) {
  const summaries = STATUSES.map((status) =>
    summaryOf({
      id: ids.conversation,
      status,
      createdAt: AT,
      updatedAt: LATER,
      position: 1,
      visitor: null,
      intent: null,
      handoff: null,
      rating: null,
    }),
  )
  const authors = [
    { type: 'visitor', name: 'Ada Moreau' },
    { type: 'visitor', name: null },
    { type: 'agent', name: null },
  ]
  const messages = authors.map((author) => ({
    id: ids.message,
    conversation_id: ids.conversation,
    author,
    text: 'Where is my parcel?',
    created_at: timestamp(AT),
  }))
  const handoff = { reason: 'The visitor asked for a human.', requested_at: timestamp(LATER) }
  const sources = [
    { type: 'url', url: 'https://shop.example.com/help' },
    { type: 'text', title: 'Returns' },
    { type: 'file', name: 'size-guide.txt' },
  ].map((params) => sourceOf(ids.source, params, AT))
  const indexed = ['indexed', 'failed'].map((status) => ({ ...sources[0], status }))
  const conversation_id = ids.conversation
  const counts = { conversations: 3, deflected: 1, intents: [{ intent: 'shipping', count: 2 }] }

  const events: Record<Kind, object[]> = {
    'conversation.created': summaries
      .slice(0, 1)
      .map((conversation) => ({ conversation_id, conversation })),
    'conversation.message': messages.map((message) => ({ conversation_id, message })),
    'conversation.handoff': [
      {
        conversation_id,
        reason: handoff.reason,
        transcript_url: `http://127.0.0.1:4010/v1/conversations/${conversation_id}`,
      },
    ],
    'conversation.resolved': summaries
      .slice(2)
      .map((conversation) => ({ conversation_id, conversation })),
    'conversation.csat': [
      { conversation_id, rating: 5, comment: 'Quick and friendly.' },
      { conversation_id, rating: 1, comment: null },
    ],
    'knowledge.indexed': indexed.map((source) => ({ source_id: ids.source, source })),
  }
  return {
    summaries,
    wholes: [
      ...summaries.map((summary) => ({ ...summary, transcript: messages, handoff })),
      ...summaries.map((summary) => ({ ...summary, transcript: [], handoff: null })),
    ],
    messages,
    sources,
    analytics: [analyticsOf(counts), analyticsOf({ conversations: 0, deflected: 0, intents: [] })],
    events,
  }
}
