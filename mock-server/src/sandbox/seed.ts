/** The data of a new sandbox: the conversations of the contract's examples, so that their ids exist. */
import { spelling } from '../contract/projection.ts'
import type { Seed } from '../store/types.ts'
import type { Bindings } from './bindings.ts'
import { intentOf } from './intents.ts'
import { listed, STATUSES, type Whole } from './shapes.ts'

export const EMPTY: Seed = { conversations: [], sources: [], endpoints: [] }

/** The seed from the examples of the operation that gets a conversation. */
export function seedOf(bindings: Bindings): Seed {
  const { form } = bindings.operation('get') ?? {}
  return form ? seedWith(form.examples.map((example) => form.restore(example) as Known)) : EMPTY
}

/** A conversation as the API shows it, of which an edited contract may lack anything. */
type Known = Partial<Whole>

/** When something happened that has no time. */
const SOME_TIME = Date.parse('2026-01-01T00:00:00Z')

/** A seed of conversations in the sandbox's own words. */
export function seedWith(conversations: readonly Known[]): Seed {
  const inOrder = conversations
    .filter(({ id }) => id !== undefined)
    .sort((a, b) => timeOf(a.updated_at) - timeOf(b.updated_at))
  return {
    ...EMPTY,
    conversations: inOrder.map((value, index) => {
      const id = String(value.id)
      const { transcript = [], handoff } = value
      const messages = transcript.filter((message) => message?.id !== undefined)
      const first = messages.find(({ author }) => spelling(author?.type) === 'visitor')
      return {
        conversation: listed({
          id,
          status: statusOf(value.status),
          createdAt: timeOf(value.created_at),
          updatedAt: timeOf(value.updated_at),
          // Before everything that happens later.
          position: index - inOrder.length,
          visitor: first?.author.name ?? null,
          intent: first ? intentOf(String(first.text ?? '')) : null,
          handoff: handoff
            ? { reason: String(handoff.reason), requestedAt: timeOf(handoff.requested_at) }
            : null,
          rating: null,
        }),
        messages: messages.map((message) => ({
          id: String(message.id),
          conversationId: id,
          json: JSON.stringify(message),
        })),
      }
    }),
  }
}

/** A state that the sandbox knows, also in another spelling, or the value itself. */
function statusOf(value: unknown): string {
  const known = STATUSES.find((one) => spelling(one) === spelling(value))
  return known ?? String(value ?? STATUSES[0])
}

/** A time in milliseconds: of a text, or of a number of seconds. */
function timeOf(value: unknown): number {
  const time = typeof value === 'number' ? value * 1000 : Date.parse(String(value))
  return Number.isNaN(time) ? SOME_TIME : time
}
