import { type Find, idsOf, reachableFrom } from './reach.ts'
import type { Api, Decl, Field, Model, Operation, Response, TypeRef } from './types.ts'

/** The parts of an API that types travel through. */
export type Traffic = Pick<Api, 'decls' | 'operations' | 'webhooks'>

/** Looks up types, so that no emitter walks through declarations itself. */
export class TypeIndex {
  /** The declaration with an id. */
  readonly decl: Find

  constructor(decl: Find) {
    this.decl = decl
  }

  /** A type with its aliases resolved. An alias that only names itself stays. */
  resolve(type: TypeRef): TypeRef {
    const seen = new Set<string>()
    let resolved = type
    while (resolved.kind === 'ref' && !seen.has(resolved.id)) {
      seen.add(resolved.id)
      const decl = this.decl(resolved.id)
      if (decl?.kind === 'alias') resolved = decl.type
    }
    return resolved
  }

  /** The declaration that a type stands for, looked up through its other names. */
  target(type: TypeRef): Exclude<Decl, { kind: 'alias' }> | undefined {
    const resolved = this.resolve(type)
    const decl = resolved.kind === 'ref' ? this.decl(resolved.id) : undefined
    return decl?.kind === 'alias' ? undefined : decl
  }

  /** The object that a type stands for, looked up through its other names. */
  model(type: TypeRef): Model | undefined {
    const target = this.target(type)
    return target?.kind === 'model' ? target : undefined
  }

  /** Whether null is a value of a type. */
  isNullable(type: TypeRef): boolean {
    const resolved = this.resolve(type)
    if (resolved.kind !== 'primitive') return resolved.kind === 'nullable'
    return resolved.type === 'null' || resolved.type === 'any'
  }

  /** A type without null, under no other name where that name includes null. */
  nonNull(type: TypeRef): TypeRef {
    const resolved = this.resolve(type)
    return resolved.kind === 'nullable' ? this.nonNull(resolved.of) : type
  }

  /** The objects whose fields an object inherits directly. */
  bases(model: Model): Model[] {
    return model.extends.flatMap((id) => this.model({ kind: 'ref', id }) ?? [])
  }

  /** All fields of an object: inherited ones first, in the form in which the object has them. */
  fields(model: Model): Field[] {
    return [...this.#fields(model, []).values()]
  }

  /** The type of fields that an object has no entry for; null where none are described. */
  extra(model: Model, within: readonly Model[] = []): TypeRef | null {
    if (model.extra || within.includes(model)) return model.extra
    const inherited = this.bases(model).map((base) => this.extra(base, [...within, model]))
    return inherited.find((type) => type !== null) ?? null
  }

  // An object that inherits from itself inherits nothing more the second time.
  #fields(model: Model, within: readonly Model[]): Map<string, Field> {
    const fields = new Map<string, Field>()
    if (within.includes(model)) return fields
    for (const base of this.bases(model)) {
      for (const [wire, field] of this.#fields(base, [...within, model])) fields.set(wire, field)
    }
    for (const field of model.fields) fields.set(field.wire, field)
    return fields
  }
}

/** The index of some declarations. */
export function indexOf(decls: readonly Decl[]): TypeIndex {
  const known = indexes.get(decls)
  if (known) return known
  const byId = new Map(decls.map((decl) => [decl.id, decl]))
  const index = new TypeIndex((id) => byId.get(id))
  indexes.set(decls, index)
  return index
}

const indexes = new WeakMap<readonly Decl[], TypeIndex>()

/** The object that the error responses of all operations have in common. */
export function problemOf({ decls, operations }: Traffic): Model | undefined {
  const types = indexOf(decls)
  const bodies = operations.flatMap(errorsOf).flatMap(({ body }) => body ?? [])
  const [first, ...others] = bodies
    .filter(({ format }) => format === 'json')
    .map(({ type }) => types.model(type))
  return others.every((model) => model === first) ? first : undefined
}

// An operation that describes no other response may succeed with the default one.
function errorsOf({ responses }: Operation): Response[] {
  const known = responses.filter(({ status }) => /^[45]/.test(status))
  const others = responses.filter(({ status }) => status === 'default')
  return responses.length > others.length ? [...known, ...others] : known
}

/** The new name of a type, for a declaration that keeps its old one. */
export function successorOf(decl: Decl): string | null {
  return decl.kind === 'alias' && decl.isOldName && decl.type.kind === 'ref' ? decl.type.id : null
}

/** The operations of the document, without the old names of their methods. */
export function current(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ successor }) => successor === null)
}

/** Whether requests hold a field. */
export function isSent({ direction }: Field): boolean {
  return direction !== 'read'
}

/** Whether responses and events hold a field. */
export function isReceived({ direction }: Field): boolean {
  return direction !== 'write'
}

/** The ids of all declarations that requests hold. Parameters are not among them. */
export function sentBy({ decls, operations }: Traffic): Set<string> {
  const types = operations.flatMap(({ body }) => (body ? [body.type] : []))
  return reachableFrom(types.flatMap(idsOf), indexOf(decls).decl)
}

/** The ids of all declarations that responses and events hold. */
export function receivedBy({ decls, operations, webhooks }: Traffic): Set<string> {
  const bodies = operations.flatMap(({ responses }) => responses.flatMap(({ body }) => body ?? []))
  const types = [...bodies.map(({ type }) => type), ...webhooks.map(({ payload }) => payload)]
  return reachableFrom(types.flatMap(idsOf), indexOf(decls).decl)
}
