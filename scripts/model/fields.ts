import type { Decl, Field } from './types.ts'

/** All fields of an object, inherited ones first, each as the object itself has it last. */
export function fieldsOf(decl: Decl | undefined, decls: ReadonlyMap<string, Decl>): Field[] {
  if (decl?.kind === 'alias') {
    return decl.type.kind === 'ref' ? fieldsOf(decls.get(decl.type.id), decls) : []
  }
  if (decl?.kind !== 'model') return []
  const all = [...decl.extends.flatMap((id) => fieldsOf(decls.get(id), decls)), ...decl.fields]
  return [...new Map(all.map((field) => [field.wire, field])).values()]
}
