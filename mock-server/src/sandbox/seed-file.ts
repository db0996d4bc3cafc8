/** Reads a seed: what a new sandbox holds, as `seed.schema.json` describes it. */
import { readFile } from 'node:fs/promises'
import { SEED_SCHEMA } from '../assets.ts'
import type { Form } from '../contract/form.ts'
import type { Violation } from '../files/checked.ts'
import type { Seed } from '../store/types.ts'
import { seedWith } from './seed.ts'
import type { Whole } from './shapes.ts'

interface SeedFile {
  conversations: unknown[]
}

export interface SeedOptions {
  /** @default `seed.schema.json` */
  schema?: object | undefined
  /** Of a conversation. @default as the sandbox has it */
  form?: Form | undefined
}

/**
 * @param given The path of a file, or its content.
 * @throws {FileError}
 */
export async function readSeed(given: string | object, options: SeedOptions = {}): Promise<Seed> {
  // Loaded here, since the YAML parser is large and few runs need it.
  const { readChecked } = await import('../files/checked.ts')
  const { schema = JSON.parse(await readFile(SEED_SCHEMA, 'utf8')), form } = options
  const known = ({ conversations }: SeedFile) =>
    conversations.map((one) => (form ? form.restore(one) : one) as Partial<Whole>)
  const text = typeof given === 'string' ? undefined : JSON.stringify(given, null, 2)
  const { value } = await readChecked<SeedFile>(typeof given === 'string' ? given : 'seed', {
    text,
    schema,
    name: 'seed.schema.json',
    check: (file) => check(known(file)),
  })
  return seedWith(known(value))
}

/** The contradictions in a seed that is valid by the schema. */
function check(conversations: readonly Partial<Whole>[]): Violation[] {
  const known = new Set<unknown>()
  const again = (id: unknown, pointer: string): Violation[] => {
    if (known.has(id)) {
      return [
        { pointer: `${pointer}/id`, message: `The id ${id} appears twice`, fix: 'Make it unique' },
      ]
    }
    known.add(id)
    return []
  }
  return conversations.flatMap(({ id, status, handoff, transcript = [] }, index) => {
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
