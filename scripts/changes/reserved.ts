import { existsSync } from 'node:fs'
import { type Problem, readYaml } from '../yaml/index.ts'

/** A name that something removed had. Programs of old packages may still use it in the old sense. */
export interface Reserved {
  /** Like `conversations.archive`, `Message.subject`, `conversations.list(state)` or `ticket.closed`. */
  name: string
  /** The release that removed it. */
  removed: string
}

const text = { type: 'string', minLength: 1 }

const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'removed'],
    properties: { name: text, removed: text },
    additionalProperties: false,
  },
}

/** Reads the reserved names; there are none without the file. */
export async function loadReserved(
  file: string,
): Promise<{ reserved: Reserved[]; problems: Problem[] }> {
  if (!existsSync(file)) return { reserved: [], problems: [] }
  const { value, problems } = await readYaml<Reserved[]>(file, SCHEMA)
  return { reserved: value ?? [], problems }
}
