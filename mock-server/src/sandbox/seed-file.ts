/** Reads what a sandbox shall hold from a file, as `seed.schema.json` describes it. */
import type { Conversation } from '@support-chat/sdk'
import { SEED_SCHEMA } from '../assets.ts'
import type { FileProblem } from '../files/checked.ts'
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
function contradictions(conversations: readonly Conversation[]): FileProblem[] {
  const known = new Set<string>()
  const again = (id: string, pointer: string): FileProblem[] => {
    if (!known.has(id)) {
      known.add(id)
      return []
    }
    return [{ pointer: `${pointer}/id`, text: `The id ${id} appears twice. Make each id unique.` }]
  }
  return conversations.flatMap(({ id, status, handoff, transcript }, index) => {
    const pointer = `/conversations/${index}`
    const isWaiting = status === 'handed_off' && handoff === null
    const text = 'A handed_off conversation needs a handoff. Add its reason and requested_at.'
    return [
      ...again(id, pointer),
      ...(isWaiting ? [{ pointer: `${pointer}/handoff`, text }] : []),
      ...transcript.flatMap((message, number) => {
        const at = `${pointer}/transcript/${number}`
        const cure = `Write ${id}, the conversation that contains it.`
        return [
          ...again(message.id, at),
          ...(message.conversation_id === id
            ? []
            : [
                {
                  pointer: `${at}/conversation_id`,
                  text: `The message belongs to ${message.conversation_id}. ${cure}`,
                },
              ]),
        ]
      }),
    ]
  })
}
