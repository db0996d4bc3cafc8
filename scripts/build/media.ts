import { type Json, object } from '../contract/json.ts'
import type { Format } from '../model/types.ts'
import type { Context } from './context.ts'

interface Media {
  contentType: string
  format: Format
  media: Json
}

const FORMATS: ReadonlyArray<[test: RegExp, format: Format]> = [
  [/^application\/json$/i, 'json'],
  [/[/+]json$/i, 'json'],
  [/^multipart\/form-data$/i, 'multipart'],
  [/^application\/x-www-form-urlencoded$/i, 'urlencoded'],
  [/^text\/(?!event-stream)/i, 'text'],
  [/^(?:application\/(?:octet-stream|pdf|zip)|image\/|audio\/|video\/|\*\/\*)/i, 'binary'],
]

const ANSWERS: readonly Format[] = ['json', 'text', 'binary']

/** The media type of a body that the SDKs speak, out of those that the API does. */
export function chooseMedia(
  content: unknown,
  what: 'request' | 'answer',
  node: Json,
  context: Context,
): Media | null {
  const offered = Object.keys(object(content)).sort()
  if (offered.length === 0) return null
  const known = FORMATS.filter(([, format]) => what === 'request' || ANSWERS.includes(format))
  for (const [test, format] of known) {
    const contentType = offered.find((type) => test.test(bare(type)))
    if (contentType === undefined) continue
    const others = offered.filter((type) => type !== contentType)
    if (others.length > 0) {
      const message = `of the ${what}'s media types the SDKs use ${contentType}`
      context.note(node, 'content', message, `${others.join(', ')} is left out`)
    }
    return { contentType: bare(contentType), format, media: object(object(content)[contentType]) }
  }
  const message = `no SDK can ${what === 'request' ? 'send' : 'read'} ${offered.join(', ')}`
  context.unsupported(node, 'content', message, 'Offer JSON, a form, text or bytes')
  return null
}

function bare(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim()
}
