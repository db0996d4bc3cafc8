import { idsOf } from '../../model/reach.ts'
import type { Decl, Field, Model } from '../../model/types.ts'
import { modelId } from './references.ts'

/** Whether a field may be absent; one that only requests or only answers have, is so elsewhere. */
export function isAbsentable({ presence, direction }: Field): boolean {
  return presence === 'optional' || direction !== 'both'
}

/** The class that a model's class extends: Python cannot extend two of ours, nor override a field. */
export function baseOf(model: Model, decls: ReadonlyMap<string, Decl>): Model | null {
  const [id] = model.extends
  const base = id === undefined ? undefined : decls.get(id)
  if (base?.kind !== 'model' || model.extends.length > 1) return null
  const inherited = new Set(allFields(base, decls).map(({ wire }) => wire))
  return model.fields.some(({ wire }) => inherited.has(wire)) ? null : base
}

/** The fields of a model and of all that it extends; of two that are called alike, its own. */
export function allFields(
  model: Model,
  decls: ReadonlyMap<string, Decl>,
  within: readonly string[] = [],
): Field[] {
  const fields = new Map<string, Field>()
  for (const extended of model.extends) {
    const id = modelId({ kind: 'ref', id: extended }, decls)
    const base = id === null || within.includes(id) ? undefined : decls.get(id)
    if (base?.kind !== 'model') continue
    for (const field of allFields(base, decls, [...within, model.id])) fields.set(field.wire, field)
  }
  for (const field of model.fields) fields.set(field.wire, field)
  return [...fields.values()]
}

/**
 * Declarations by name, but after what must exist when they are made. Those that hold themselves
 * must be quoted.
 */
export function arrange(
  types: readonly Decl[],
  decls: ReadonlyMap<string, Decl>,
): { ordered: Decl[]; quoted: Set<string> } {
  const ordered = new Set<Decl>()
  const quoted = new Set<string>()
  const visit = (decl: Decl, within: readonly Decl[]): void => {
    if (ordered.has(decl)) return
    for (const id of neededBy(decl, decls)) {
      const needed = decls.get(id)
      if (!needed) continue
      if (needed === decl || within.includes(needed)) quoted.add(decl.id)
      else visit(needed, [...within, decl])
    }
    ordered.add(decl)
  }
  for (const decl of types) visit(decl, [])
  return { ordered: [...ordered], quoted }
}

/** What must exist when a declaration is made; annotations of fields may come earlier. */
function neededBy(decl: Decl, decls: ReadonlyMap<string, Decl>): string[] {
  switch (decl.kind) {
    case 'model':
      return [baseOf(decl, decls)?.id ?? []].flat()
    case 'union':
      return decl.variants.flatMap(idsOf)
    case 'alias':
      return idsOf(decl.type)
    case 'enum':
      return []
  }
}
