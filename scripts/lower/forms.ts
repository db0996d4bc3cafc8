import { type Json, object, sortedEntries } from '../contract/json.ts'
import type { Body, Field, TypeRef } from '../model/types.ts'
import type { Context } from './context.ts'
import type { Declarations } from './declarations.ts'

/** A form is made of texts and files; refuses what else a document puts into one. */
export function checkForm(
  { format, type }: Pick<Body, 'format' | 'type'>,
  media: Json,
  declarations: Declarations,
  context: Context,
): void {
  if (format !== 'multipart' && format !== 'urlencoded') return
  const form = declarations.index.model(type)
  const fields = form ? declarations.index.fields(form) : []
  if (fields.some((field) => declarations.isStructured(field.type))) {
    const fix = 'Use fields of text, numbers and files, or send JSON'
    context.unsupported(media, undefined, 'a form field holds an object', fix)
  }
  for (const [wire, node] of sortedEntries(media.encoding)) {
    checkEncoding(
      object(node),
      fields.find((field) => field.wire === wire),
      context,
    )
  }
}

function checkEncoding(encoding: Json, field: Field | undefined, context: Context): void {
  context.refuse('Encoding', encoding)
  const { contentType, style = 'form', explode = true } = encoding
  if (style !== 'form' || explode !== true) {
    const message = 'a form field sets its own style'
    context.unsupported(encoding, undefined, message, 'Use "form" with "explode"')
  }
  const isText = typeof contentType !== 'string' || contentType.startsWith('text/plain')
  if (isText || (field && isFile(field.type))) return
  const message = `a form field is sent as ${contentType}`
  context.unsupported(
    encoding,
    'contentType',
    message,
    'Send it as text, or the whole body as JSON',
  )
}

function isFile(type: TypeRef): boolean {
  if ('of' in type) return isFile(type.of)
  return type.kind === 'primitive' && type.type === 'binary'
}
