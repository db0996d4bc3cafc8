/** Reads what a sandbox shall hold from a file, as `seed.schema.json` describes it. */
import type { Conversation } from '@support-chat/sdk'
import { SEED_SCHEMA } from '../assets.ts'
import type { Fault } from '../files/checked.ts'
import type { Seed } from '../store/types.ts'
import { seedWith } from './seed.ts'

/** @throws {FileError} */
export async function readSeed(file: string): Promise<Seed> {
  // Loaded here, as few name a file and what reads YAML is large.
  const { readChecked } = await import('../files/checked.ts')
  const { value, refuse } = await readChecked<{ conversations: Conversation[] }>(file, SEED_SCHEMA)
  refuse(contradictions(value.conversations))
  return seedWith(value.conversations)
}

/** Where a seed that fits the schema contradicts itself. */
function contradictions(conversations: readonly Conversation[]): Fault[] {
  const known = new Set<string>()
  const again = (id: string, place: string): Fault[] => {
    if (!known.has(id)) {
      known.add(id)
      return []
    }
    return [{ place: `${place}/id`, text: `The id ${id} is there twice. Give each its own.` }]
  }
  return conversations.flatMap(({ id, status, handoff, transcript }, index) => {
    const place = `/conversations/${index}`
    const isWaiting = status === 'handed_off' && handoff === null
    const text =
      'A conversation that is handed_off needs a handoff. Add its reason and requested_at.'
    return [
      ...again(id, place),
      ...(isWaiting ? [{ place: `${place}/handoff`, text }] : []),
      ...transcript.flatMap((message, number) => {
        const at = `${place}/transcript/${number}`
        const cure = `Write ${id}, the conversation that it stands in.`
        return [
          ...again(message.id, at),
          ...(message.conversation_id === id
            ? []
            : [
                {
                  place: `${at}/conversation_id`,
                  text: `The message belongs to ${message.conversation_id}. ${cure}`,
                },
              ]),
        ]
      }),
    ]
  })
}
