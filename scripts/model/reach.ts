import type { Decl, Operation, TypeRef } from './types.ts'

/** The ids that a type names. */
export function idsOf(type: TypeRef): string[] {
  if (type.kind === 'ref') return [type.id]
  return 'of' in type ? idsOf(type.of) : []
}

/** The ids that a declaration names itself. */
export function referencedBy(decl: Decl): string[] {
  switch (decl.kind) {
    case 'model':
      return [
        ...decl.extends,
        ...decl.fields.flatMap(({ type }) => idsOf(type)),
        ...(decl.extra ? idsOf(decl.extra) : []),
      ]
    case 'union':
      return decl.variants.flatMap(idsOf)
    case 'alias':
      return idsOf(decl.type)
    case 'enum':
      return []
  }
}

/** Everything that some declarations need, themselves included. */
export function reachableFrom(
  ids: Iterable<string>,
  decls: ReadonlyMap<string, Decl>,
): Set<string> {
  const reached = new Set<string>()
  const pending = [...ids]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const decl = decls.get(id)
    if (!decl || reached.has(id)) continue
    reached.add(id)
    pending.push(...referencedBy(decl))
  }
  return reached
}

/** The types that an operation names itself. */
export function typesOf(operation: Operation): TypeRef[] {
  const parameters = [operation.pathParams, operation.queryParams, operation.headerParams].flat()
  return [
    ...parameters.map(({ type }) => type),
    ...(operation.body ? [operation.body.type] : []),
    ...operation.answers.flatMap(({ body }) => (body ? [body.type] : [])),
    ...(operation.params ? [{ kind: 'ref', id: operation.params } as const] : []),
  ]
}
