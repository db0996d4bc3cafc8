import { indexOf } from '../../model/index.ts'
import { idsOf } from '../../model/reach.ts'
import type { Api, Decl, Enum, Name, Operation, TypeRef, Webhook } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { Finding } from '../compare/findings.ts'

/** A name as all languages spell it, but for case and punctuation. */
export function folded(text: string): string {
  return words(text).join('').toLowerCase()
}

/** A type that shows what another has, and the field through which it does: null where it has all of it. */
export interface Holder {
  id: string
  through: string | null
}

/** Looks up parts of both revisions. */
export class Names {
  /** What only one revision has: users see it wherever it stands. */
  readonly strange: ReadonlySet<string>
  /** The types that only one revision has. */
  readonly strangeTypes: readonly string[]
  /** The enums that only one revision has. */
  readonly strangeEnums: ReadonlyArray<{ decl: Enum; api: Api }>
  /** The class that calls begin with, in most languages. */
  readonly client: string
  readonly #apis: readonly Api[]

  constructor(findings: readonly Finding[], before: Api, after: Api) {
    this.#apis = [before, after]
    this.client = after.platform.client
    const events = findings.flatMap(({ subject, renamed }) =>
      subject.of === 'event' ? [subject.webhook.event, ...(renamed ? [renamed.to] : [])] : [],
    )
    const types = this.#onlyInOne(({ decls }) => decls.map(({ id }) => id))
    this.strangeTypes = types
    const unions = types.filter((id) => this.decls(id).some(({ decl }) => decl.kind === 'union'))
    this.strangeEnums = types.flatMap((id) =>
      this.decls(id).flatMap(({ decl, api }) => (decl.kind === 'enum' ? [{ decl, api }] : [])),
    )
    this.strange = new Set(
      [
        ...types.flatMap((id) => [id, `${id} fixture`]),
        ...unions.flatMap((id) => this.formsOf(id)),
        ...this.#onlyInOne(({ operations }) => operations.map(({ id }) => id)),
        ...this.#onlyInOne(({ operations }) => operations.flatMap(classesOf)),
        ...findings.flatMap(({ subject, renamed }) =>
          subject.of === 'type' && renamed ? [renamed.from, renamed.to] : [],
        ),
        ...this.events(events).flatMap((webhook) => [
          webhook.event,
          ...idsOf(webhook.payload).flatMap((id) => [id, `${id} kind`]),
        ]),
      ].map(folded),
    )
  }

  /** The resources that only one revision has. */
  resources(): Name[][] {
    const all = ({ operations }: Api) => operations.flatMap(({ resource }) => heads(resource))
    const keys = new Set(this.#onlyInOne((api) => all(api).map((path) => path.flat().join(' '))))
    return this.#apis.flatMap(all).filter((path) => keys.has(path.flat().join(' ')))
  }

  /** The operations with an id or with the method of one of those, as before and after a move. */
  operations(ids: readonly string[]): Operation[] {
    const all = this.#apis.flatMap(({ operations }) => operations)
    const methodOf = ({ resource, method }: Operation) => folded([...resource, method].join(' '))
    const methods = new Set(all.filter(({ id }) => ids.includes(id)).map(methodOf))
    return all.filter((operation) => methods.has(methodOf(operation)))
  }

  events(kinds: readonly string[]): Webhook[] {
    return this.#apis.flatMap(({ webhooks }) =>
      webhooks.filter(({ event }) => kinds.includes(event)),
    )
  }

  /** The declarations with an id. */
  decls(id: string): Array<{ decl: Decl; api: Api }> {
    return this.#apis.flatMap((api) => {
      const decl = indexOf(api.decls).decl(id)
      return decl ? [{ decl, api }] : []
    })
  }

  /** The types of a language for the variants of a union. */
  formsOf(id: string): string[] {
    const variants = this.decls(id).flatMap(({ decl }) => {
      return decl.kind === 'union' ? decl.variants.flatMap(idsOf) : []
    })
    return [`unknown ${id}`, ...variants.map((variant) => `${id} of ${variant}`)]
  }

  /** A type, and the types that have its fields, its values or its variants too. */
  holders(id: string): Holder[] {
    const found = new Map<string, Holder>([[id, { id, through: null }]])
    for (const holder of found.values()) {
      if (holder.through !== null) continue
      const isModel = this.decls(holder.id).some(({ decl }) => decl.kind === 'model')
      for (const decl of this.#apis.flatMap(({ decls }) => decls)) {
        const field = holdsBy(decl, holder.id, isModel)
        if (field !== undefined)
          found.set(`${decl.id} ${field ?? ''}`, { id: decl.id, through: field })
      }
    }
    return [...found.values()]
  }

  /** The operations whose arguments are, or hold, one of some types. */
  callers(ids: ReadonlySet<string>): Operation[] {
    const names = (type: TypeRef) => idsOf(type).some((id) => ids.has(id))
    return this.#apis.flatMap(({ operations }) =>
      operations.filter(
        ({ body, params, pathParams, queryParams, headerParams }) =>
          (body !== null && names(body.type)) ||
          (params !== null && ids.has(params)) ||
          [pathParams, queryParams, headerParams].flat().some(({ type }) => names(type)),
      ),
    )
  }

  #onlyInOne(names: (api: Api) => readonly string[]): string[] {
    const [old, now] = this.#apis.map((api) => new Set(names(api)))
    if (!old || !now) return []
    return [...old, ...now].filter((name) => !old.has(name) || !now.has(name))
  }
}

/** A path of names, and all paths that lead there. */
function heads(path: readonly Name[]): Name[][] {
  return path.map((_, index) => path.slice(0, index + 1))
}

/** What a resource is called in any language. */
function classesOf({ resource }: Pick<Operation, 'resource'>): string[] {
  return heads(resource).flatMap((path) => classNames(path))
}

export function classNames(path: readonly Name[]): string[] {
  return ['resource', 'service'].map((suffix) => [...path.flat(), suffix].join(' '))
}

/** How a declaration holds a type: wholly, by a field, or not at all. */
function holdsBy(decl: Decl, id: string, isModel: boolean): string | null | undefined {
  const names = (type: TypeRef) => idsOf(type).includes(id)
  if (decl.kind === 'union' && decl.variants.some(names)) return null
  if (decl.kind === 'alias' && names(decl.type)) return null
  if (decl.kind !== 'model') return undefined
  if (decl.extends.includes(id)) return null
  // A model is named where a field has one. Other types may be written out.
  return isModel ? undefined : decl.fields.find(({ type }) => names(type))?.wire
}
