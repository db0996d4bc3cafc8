import type { Api, Decl, Doc, Operation, Union } from '../../model/types.ts'
import { listed } from '../core/comment.ts'
import { assumptionText } from '../core/remarks.ts'
import type { GoFile } from './file.ts'
import { methodName, serviceType } from './naming.ts'
import { isRequired, type Types } from './references.ts'
import { shapesOf } from './unions.ts'

/** Describes a declaration. Null if the document has no description and its location gives none. */
export function aboutOf(
  decl: Decl,
  { operations, events, inlined }: Uses,
  types: Types,
  file: GoFile,
): string | null {
  const name = types.name(decl.id)
  const { text } = decl.doc
  const event = events.get(decl.id)
  if (event !== undefined) return `${name} is the event ${event}. ${text ?? ''}`
  const operation = operations.get(decl.id)
  if (operation && decl.kind === 'model') {
    const about = `${name} holds the parameters of ${link(operation)}`
    const fields = types.fields(decl)
    if (fields.every(isRequired)) return `${about}.`
    return `${about}. Zero values are omitted${fields.some(isRequired) ? ' where they are optional' : ''}.`
  }
  if (text) return opening(name, text.trim())
  const use = inlined.get(decl.id)
  if (use) return `${name} is ${use}.`
  return decl.kind === 'alias'
    ? `${name} is another name of ${types.linked(decl.type, file)}.`
    : null
}

/** The uses of declarations, which describe those without a description. */
export interface Uses {
  /** The operations, by the declarations of their parameters. */
  operations: ReadonlyMap<string | null, Operation>
  /** The events by their payloads. */
  events: ReadonlyMap<string, string>
  /** What the inline types of operations are. */
  inlined: ReadonlyMap<string, string>
}

export function usesOf({ operations, webhooks, decls }: Api): Uses {
  const inline = new Set(decls.filter(isInline).map(({ id }) => id))
  const uses = operations.flatMap((operation) => {
    const { body, result, page } = operation
    const what = page ? 'one page' : 'a result'
    const sent = body ? [[body.type, `the body of ${link(operation)}`] as const] : []
    return [
      ...sent,
      ...result.types.map((type) => [type, `${what} of ${link(operation)}`] as const),
    ]
  })
  return {
    operations: new Map(operations.map((operation) => [operation.params, operation])),
    events: new Map(
      webhooks.map(({ payload, event }) => [payload.kind === 'ref' ? payload.id : '', event]),
    ),
    inlined: new Map(
      uses.flatMap(([type, use]) => {
        const inner = type.kind === 'nullable' ? type.of : type
        return inner.kind === 'ref' && inline.has(inner.id) ? [[inner.id, use]] : []
      }),
    ),
  }
}

function isInline({ pointer }: Decl): boolean {
  return pointer.startsWith('/paths/')
}

function link(operation: Operation): string {
  return `[${serviceType({ path: operation.resource })}.${methodName(operation)}]`
}

const NOUN = /^(?:A|An|The|One|Who|What|Where|Why|How|Which)\b/

/** A text as a sentence that starts with the name of the type. */
function opening(name: string, text: string): string {
  if (!NOUN.test(text)) return `${name}: ${text}`
  return `${name} is ${clause(text)}`
}

/** A sentence as a part of another one. */
export function clause(text: string): string {
  const isShouted = /^[A-Z]{2}/.test(text)
  return isShouted ? text : text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** Which types a union may be, as links where they are of this package. */
export function variantsOf(union: Union, types: Types, file: GoFile): string {
  const tagged = types.tagged(union)
  const names = tagged
    ? tagged.variants.map(({ id }) => `[${types.name(id)}]`)
    : [...shapesOf(union, types).values()].map((variant) => types.linked(variant, file))
  return names.length > 1 ? `one of ${listed(names)}` : listed(names)
}

/** The remarks on a part of the API that is assumed or deprecated. */
export function remarks(doc: Doc): string[] {
  const assumption = assumptionText(doc)
  const deprecation = saysDeprecated(doc) ? null : deprecationOf(doc)
  return [assumption, deprecation].filter((remark) => remark !== null)
}

/** What marks something as deprecated, for whoever uses it; null where it is not. */
export function deprecationOf(doc: Doc): string | null {
  return doc.deprecated || saysDeprecated(doc) ? 'Deprecated: the API advises against it.' : null
}

function saysDeprecated({ text }: Doc): boolean {
  return /^Deprecated: /m.test(text ?? '')
}
