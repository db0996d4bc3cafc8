import type { Decl, Operation, Primitive, TypeRef } from './types.ts'

/** Finds a declaration by its id. */
export type Find = (id: string) => Decl | undefined

/** The ids that a type names. */
export function idsOf(type: TypeRef): string[] {
  if (type.kind === 'ref') return [type.id]
  return 'of' in type ? idsOf(type.of) : []
}

/** The types that a declaration uses. */
export function typesIn(decl: Decl): TypeRef[] {
  switch (decl.kind) {
    case 'model':
      return [...decl.fields.map(({ type }) => type), ...(decl.extra ? [decl.extra] : [])]
    case 'union':
      return decl.variants
    case 'alias':
      return [decl.type]
    case 'enum':
      return []
  }
}

/** The ids that a declaration names itself. */
export function referencedBy(decl: Decl): string[] {
  const inherited = decl.kind === 'model' ? decl.extends : []
  return [...inherited, ...typesIn(decl).flatMap(idsOf)]
}

/** Everything that some declarations need, themselves included. */
export function reachableFrom(ids: Iterable<string>, find: Find): Set<string> {
  const reached = new Set<string>()
  const pending = [...ids]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const decl = find(id)
    if (!decl || reached.has(id)) continue
    reached.add(id)
    pending.push(...referencedBy(decl))
  }
  return reached
}

/** Whether a value of a type can hold a value of a primitive one, at any depth. */
export function holding(primitive: Primitive, decls: readonly Decl[]): (type: TypeRef) => boolean {
  const isThat = (type: TypeRef): boolean =>
    'of' in type ? isThat(type.of) : type.kind === 'primitive' && type.type === primitive
  const users = new Map<string, string[]>()
  for (const decl of decls) {
    for (const id of referencedBy(decl)) {
      const known = users.get(id)
      if (known) known.push(decl.id)
      else users.set(id, [decl.id])
    }
  }
  // From those that hold one themselves to all that use them: in one walk for all types.
  const holders = new Set<string>()
  const pending = decls.filter((decl) => typesIn(decl).some(isThat)).map(({ id }) => id)
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (holders.has(id)) continue
    holders.add(id)
    pending.push(...(users.get(id) ?? []))
  }
  return (type) => isThat(type) || idsOf(type).some((id) => holders.has(id))
}

/** The types that an operation names itself. */
export function typesOf(operation: Operation): TypeRef[] {
  const parameters = [operation.pathParams, operation.queryParams, operation.headerParams].flat()
  return [
    ...parameters.map(({ type }) => type),
    ...(operation.body ? [operation.body.type] : []),
    ...operation.responses.flatMap(({ body }) => (body ? [body.type] : [])),
    ...(operation.params ? [{ kind: 'ref', id: operation.params } as const] : []),
  ]
}
