import { isJSON } from './json.ts'
import type { Finding } from './types.ts'

interface Clue extends Finding {
  isIn(body: Buffer): boolean
}

/** Signs that a body is not the signed one, although the original is unknown. */
export const CLUES: readonly Clue[] = [
  {
    name: 'body_empty',
    text: 'The body is empty. Middleware consumed the stream before the body was saved. Read the raw bytes before any parser.',
    isIn: (body) => body.length === 0,
  },
  {
    name: 'body_is_object',
    text: 'The body is the string form of a parsed JavaScript object. Pass the raw bytes: express.raw(), request.arrayBuffer().',
    isIn: (body) => body.toString().startsWith('[object '),
  },
  {
    name: 'body_has_replacements',
    text: 'The body contains replacement characters (U+FFFD). It was decoded with the wrong encoding, and the original bytes are lost. Keep the raw bytes.',
    isIn: (body) => body.includes('\ufffd'),
  },
  {
    name: 'body_cut',
    text: 'The body starts like JSON but is not valid JSON. It was truncated or changed.',
    isIn: (body) => /^\s*\{/.test(body.toString()) && !isJSON(body.toString()),
  },
]

export function cluesIn(body: Buffer): Finding[] {
  return CLUES.filter(({ isIn }) => isIn(body)).map(({ name, text }) => ({ name, text }))
}
