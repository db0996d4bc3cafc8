/** The data of a new sandbox: the conversations of the contract's examples, so that their ids exist. */
import type { Conversation as ApiConversation } from '@support-chat/sdk'
import type { Contract } from '../contract/load.ts'
import type { Seed } from '../store/types.ts'
import { intentOf } from './intents.ts'
import { listed } from './shapes.ts'

export const EMPTY: Seed = { conversations: [], sources: [], endpoints: [] }

/** The seed from the examples of `GET /v1/conversations/{id}`. */
export function seedOf(contract: Contract): Seed {
  const operation = contract.operations.find(
    ({ method, path }) => method === 'GET' && path === '/v1/conversations/{id}',
  )
  const examples = operation?.prism.responses
    .find(({ code }) => code === '200')
    ?.contents?.flatMap(({ examples }) => examples ?? [])
  const values = (examples ?? []).flatMap((example) =>
    'value' in example ? [example.value as ApiConversation] : [],
  )
  return seedWith(values)
}

/** A seed of conversations as the API shows them. */
export function seedWith(conversations: readonly ApiConversation[]): Seed {
  const inOrder = [...conversations].sort(
    (a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at),
  )
  return {
    ...EMPTY,
    conversations: inOrder.map((value, index) => ({
      conversation: listed({
        id: value.id,
        status: value.status,
        createdAt: Date.parse(value.created_at),
        updatedAt: Date.parse(value.updated_at),
        // Before everything that happens later.
        position: index - inOrder.length,
        visitor:
          value.transcript.find(({ author }) => author.type === 'visitor')?.author.name ?? null,
        intent: intentFrom(value),
        handoff: value.handoff && {
          reason: value.handoff.reason,
          requestedAt: Date.parse(value.handoff.requested_at),
        },
        rating: null,
      }),
      messages: value.transcript.map((message) => ({
        id: message.id,
        conversationId: value.id,
        json: JSON.stringify(message),
      })),
    })),
  }
}

function intentFrom({ transcript }: ApiConversation): string | null {
  const first = transcript.find(({ author }) => author.type === 'visitor')
  return first ? intentOf(first.text) : null
}
