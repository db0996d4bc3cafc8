import { isJSON } from './json.ts'
import type { Finding } from './types.ts'

interface Clue extends Finding {
  isIn(body: Buffer): boolean
}

/** What shows that a body is not the signed one, though not which one that was. */
export const CLUES: readonly Clue[] = [
  {
    name: 'body_empty',
    text: 'The body is empty: a middleware had read the stream before it was kept. Take the bytes ahead of any parser.',
    isIn: (body) => body.length === 0,
  },
  {
    name: 'body_is_object',
    text: 'The body is what JavaScript makes of a parsed object when it wants text. Pass the raw bytes: express.raw(), request.arrayBuffer().',
    isIn: (body) => body.toString().startsWith('[object '),
  },
  {
    name: 'body_has_replacements',
    text: 'The body holds replacement characters (U+FFFD): its bytes were read as text in an encoding that they are not in, and are lost. Keep the bytes.',
    isIn: (body) => body.includes('\ufffd'),
  },
  {
    name: 'body_cut',
    text: 'The body begins as JSON but is none to the end: it was cut off, or something was put into it.',
    isIn: (body) => /^\s*\{/.test(body.toString()) && !isJSON(body.toString()),
  },
]

export function cluesIn(body: Buffer): Finding[] {
  return CLUES.filter(({ isIn }) => isIn(body)).map(({ name, text }) => ({ name, text }))
}
