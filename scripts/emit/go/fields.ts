import type { Field, Model, Operation, TypeRef } from '../../model/types.ts'
import { directionText } from '../core/remarks.ts'
import { remarks } from './doc.ts'
import { GoFile } from './file.ts'
import { fieldTag } from './literal.ts'
import { fieldName } from './naming.ts'
import { isPrimitive, isRequired, literalType, type Types } from './references.ts'

type Tag = [key: string, value: string]

/** A wire name that a json tag can hold. */
const PLAIN = /^(?!-$)[\w$.:@/-]+$/

/**
 * The fields of a model, in the tags that the runtime reads (json_model.go). Absent, null and a value
 * stay three different states for every type of field:
 *
 * | | never null | nullable |
 * |---|---|---|
 * | required | `T` | `*T`, or a `T` that can be nil, which is sent as null |
 * | optional | `*T`, or a `T` whose zero is never worth sending | `Optional[T]` |
 *
 * A required constant has no visible field: it is always sent.
 */
export function modelFields(model: Model, types: Types, file: GoFile): void {
  for (const field of types.fields(model)) {
    const { type, wire, direction, presence } = field
    if (type.kind === 'literal' && presence === 'required' && direction !== 'read') {
      const tag = fieldTag([
        ['wire', wire],
        ['const', String(type.value)],
      ])
      file.lines(`_ ${literalType(type.value)} ${tag}`)
      continue
    }
    const tag = fieldTag(jsonTags(field, types))
    file
      .doc(...docOf(field))
      .lines(`${fieldName(field)} ${fieldType(field, model, types, file)} ${tag}`)
  }
  const extra = types.extra(model)
  if (extra && !isPrimitive(types.resolve(extra), 'any')) {
    file.doc('AdditionalProperties holds the fields of any other name.')
    file.lines(`AdditionalProperties map[string]${types.text(extra, file)} \`json:"-"\``)
  }
  file.lines('Extra')
}

/**
 * The query and header parameters of an operation as fields, in the tags that the runtime
 * reads (query.go). They are plain values; zero is left out unless the parameter is required.
 */
export function parameterFields(
  model: Model,
  { queryParams, headerParams }: Operation,
  types: Types,
  file: GoFile,
): void {
  const headers = new Set(headerParams.map(({ wire }) => wire))
  const styles = new Map(
    queryParams.flatMap(({ wire, style }): Array<[string, string]> => {
      return style ? [[wire, style.style]] : []
    }),
  )
  const isMixed = !types.fields(model).every(isRequired)
  for (const field of types.fields(model)) {
    const { wire, type } = field
    const style = styles.get(wire)
    const tags: Tag[] = [[headers.has(wire) ? 'header' : 'query', wire]]
    if (style) tags.push(['style', style])
    if (isRequired(field)) tags.push(['required', 'true'])
    // False is worth sending, and zero is left out.
    const isBoolean = isPrimitive(types.resolve(type), 'boolean')
    const pointer = isBoolean && !isRequired(field) ? '*' : ''
    file.doc(...docOf(field), isMixed && isRequired(field) ? 'Required.' : null)
    file.lines(`${fieldName(field)} ${pointer}${types.text(type, file)} ${fieldTag(tags)}`)
  }
}

function docOf(field: Field): Array<string | null> {
  const { doc, type } = field
  const constant = type.kind === 'literal' ? `Always ${JSON.stringify(type.value)}.` : null
  const fallback = 'default' in field ? `Default: ${JSON.stringify(field.default)}.` : null
  return [doc.text, constant, fallback, ...remarks(doc), directionText(field)]
}

/**
 * The type of a field.
 *
 * @param model The model that has it; null where no field holds its own model.
 * @param file Gets the imports.
 */
export function fieldType(
  { type, presence }: Field,
  model: Model | null,
  types: Types,
  file = new GoFile('', '', ''),
): string {
  const resolved = types.resolve(type)
  if (presence === 'optional' && resolved.kind === 'nullable') {
    return `Optional[${types.text(resolved.of, file)}]`
  }
  const text = types.text(type, file)
  const isPointer =
    presence === 'optional'
      ? !zeroIsAbsent(type, types)
      : model !== null && types.isRecursive(model, type)
  return isPointer ? `*${text}` : text
}

/** Whether the zero of a type is never worth sending. */
function zeroIsAbsent(type: TypeRef, types: Types): boolean {
  return (
    types.holdsNull(type) ||
    isPrimitive(types.resolve(type), 'date-time') ||
    types.target(type)?.kind === 'enum'
  )
}

function jsonTags({ wire, type, presence, direction }: Field, types: Types): Tag[] {
  const resolved = types.resolve(type)
  const inner = resolved.kind === 'nullable' ? types.resolve(resolved.of).kind : null
  // Fields of responses are not sent.
  const isLeftOut = presence === 'optional' || direction === 'read'
  const option = isLeftOut ? ',omitzero' : ''
  const tags: Tag[] = PLAIN.test(wire)
    ? [['json', `${wire}${option}`]]
    : [
        ['json', option],
        ['wire', wire],
      ]
  const isOnlyRead = isLeftOut && presence !== 'optional'
  if (isOnlyRead) tags.push(['required', 'true'])
  const isNilable = inner === 'list' || inner === 'map'
  const isBytes = resolved.kind === 'nullable' && isPrimitive(types.resolve(resolved.of), 'base64')
  const isNullInGo = isOnlyRead ? inner !== null : isNilable || isBytes
  if (isNullInGo && (isOnlyRead || !isLeftOut)) tags.push(['nil', 'null'])
  return tags
}
