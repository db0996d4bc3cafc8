import type { TypeIndex } from '../../model/index.ts'
import { idsOf } from '../../model/reach.ts'
import type { Decl, Model } from '../../model/types.ts'

/** The class that a model's class extends: Python cannot extend two of ours, nor override a field. */
export function baseOf(model: Model, index: TypeIndex): Model | null {
  const [id] = model.extends
  const base = id === undefined ? undefined : index.decl(id)
  if (base?.kind !== 'model' || model.extends.length > 1) return null
  const inherited = new Set(index.fields(base).map(({ wire }) => wire))
  return model.fields.some(({ wire }) => inherited.has(wire)) ? null : base
}

/**
 * Declarations by name, but after their dependencies. Those that contain themselves
 * must be quoted.
 */
export function arrange(
  types: readonly Decl[],
  index: TypeIndex,
): { ordered: Decl[]; quoted: Set<string> } {
  const ordered = new Set<Decl>()
  const quoted = new Set<string>()
  const visit = (decl: Decl, within: readonly Decl[]): void => {
    if (ordered.has(decl)) return
    for (const id of neededBy(decl, index)) {
      const needed = index.decl(id)
      if (!needed) continue
      if (needed === decl || within.includes(needed)) quoted.add(decl.id)
      else visit(needed, [...within, decl])
    }
    ordered.add(decl)
  }
  for (const decl of types) visit(decl, [])
  return { ordered: [...ordered], quoted }
}

/** The declarations that must exist before this one. Annotations of fields may come earlier. */
function neededBy(decl: Decl, index: TypeIndex): string[] {
  switch (decl.kind) {
    case 'model':
      return [baseOf(decl, index)?.id ?? []].flat()
    case 'union':
      return decl.variants.flatMap(idsOf)
    case 'alias':
      return idsOf(decl.type)
    case 'enum':
      return []
  }
}
