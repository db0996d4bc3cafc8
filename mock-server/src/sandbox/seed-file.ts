/** Reads a seed: what a new sandbox holds, as `seed.schema.json` describes it. */
import type { Conversation } from '@support-chat/sdk'
import { SEED_SCHEMA } from '../assets.ts'
import type { Violation } from '../files/checked.ts'
import type { Seed } from '../store/types.ts'
import { seedWith } from './seed.ts'

interface SeedFile {
  conversations: Conversation[]
}

/** @throws {FileError} */
export async function readSeed(file: string): Promise<Seed> {
  // Loaded here, since the YAML parser is large and few runs need it.
  const { readChecked } = await import('../files/checked.ts')
  const { value } = await readChecked<SeedFile>(file, { schema: SEED_SCHEMA, check })
  return seedWith(value.conversations)
}

/** The contradictions in a seed that is valid by the schema. */
function check({ conversations }: SeedFile): Violation[] {
  const known = new Set<string>()
  const again = (id: string, pointer: string): Violation[] => {
    if (known.has(id)) {
      return [
        { pointer: `${pointer}/id`, message: `The id ${id} appears twice`, fix: 'Make it unique' },
      ]
    }
    known.add(id)
    return []
  }
  return conversations.flatMap(({ id, status, handoff, transcript }, index) => {
    const pointer = `/conversations/${index}`
    const isWaiting = status === 'handed_off' && handoff === null
    const missing = {
      pointer: `${pointer}/handoff`,
      message: 'A handed_off conversation needs a handoff',
      fix: 'Add its reason and requested_at',
    }
    return [
      ...again(id, pointer),
      ...(isWaiting ? [missing] : []),
      ...transcript.flatMap((message, number) => {
        const at = `${pointer}/transcript/${number}`
        const { id: messageId, conversation_id: other } = message
        const foreign = {
          pointer: `${at}/conversation_id`,
          message: `The message belongs to ${other}`,
          fix: `Write ${id}, the conversation that contains it`,
        }
        return [...again(messageId, at), ...(other === id ? [] : [foreign])]
      }),
    ]
  })
}
