import { type Json, object } from '../contract/json.ts'
import type { Format } from '../model/types.ts'
import type { Context } from './context.ts'
import { primitiveOf, typesOf } from './primitives.ts'

interface Media {
  contentType: string
  format: Format
  media: Json
}

/** In the order in which they are preferred. */
const FORMATS: ReadonlyArray<[format: Format, test: RegExp]> = [
  ['json', /^application\/json$|[/+]json$/i],
  ['multipart', /^multipart\/form-data$/i],
  ['urlencoded', /^application\/x-www-form-urlencoded$/i],
  ['text', /^text\//i],
  ['binary', /^(?:image|audio|video)\/|^application\/(?:octet-stream|pdf|zip)$/i],
]

const READABLE: readonly Format[] = ['json', 'text', 'binary']

/** Media types of streams and of several responses in one. */
const STREAMS = /^text\/event-stream$|ndjson$|jsonl$|json-seq$|^multipart\/(?!form-data$)/i

/** The media type of a body that the SDKs speak, out of those that the API does. */
export function chooseMedia(
  content: unknown,
  what: 'request' | 'response',
  node: Json,
  context: Context,
): Media | null {
  const offered = Object.keys(object(content)).sort()
  if (offered.length === 0) return null
  const spoken = offered.flatMap((type) => {
    const media = object(object(content)[type])
    const format = formatOf(bare(type), media, context)
    const isSpoken = format !== null && (what === 'request' || READABLE.includes(format))
    return isSpoken ? [{ type, format, media }] : []
  })
  const ranks = FORMATS.map(([format]) => format)
  const [chosen] = spoken.sort((a, b) => ranks.indexOf(a.format) - ranks.indexOf(b.format))
  if (!chosen) {
    const message = `no SDK can ${what === 'request' ? 'send' : 'read'} ${offered.join(', ')}`
    context.unsupported(node, 'content', message, 'Offer JSON, a form, text or bytes')
    return null
  }
  const { type, format, media } = chosen
  const others = offered.filter((one) => one !== type)
  if (others.length > 0) {
    const message = `of the media types of the ${what}, the SDKs use ${type}`
    context.note(node, 'content', message, `${others.join(', ')} is left out`)
  }
  return { contentType: concrete(bare(type), format), format, media }
}

/** How a body of some media type travels. Where the media type is vague, its schema decides. */
function formatOf(type: string, media: Json, context: Context): Format | null {
  if (STREAMS.test(type)) return null
  const known = FORMATS.find(([, test]) => test.test(type))
  if (known) return known[0]
  const schema = context.resolve(media.schema)
  const [first] = typesOf(schema)
  if (first === 'string') {
    const text = primitiveOf('string', schema)
    return text.kind === 'primitive' && text.type === 'binary' ? 'binary' : 'text'
  }
  if (Object.keys(schema).length === 0) return 'binary'
  return type.endsWith('*') ? 'json' : null
}

/** A range of media types cannot be sent. */
function concrete(type: string, format: Format): string {
  if (!type.endsWith('*')) return type
  return (
    { json: 'application/json', text: 'text/plain' }[format as string] ?? 'application/octet-stream'
  )
}

function bare(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim()
}
