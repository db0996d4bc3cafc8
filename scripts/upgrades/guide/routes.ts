import { TAKEN_NOUNS } from '../../emit/core/examples.ts'
import type { Step } from '../../emit/core/snippets.ts'
import { isReceived, type TypeIndex } from '../../model/index.ts'
import type { Field, Model, Name, TypeRef, Union } from '../../model/types.ts'
import { singularName } from '../../model/words.ts'

/** What a route leads to: a field, a value of a declaration, or one of its variants. */
export type Target =
  | { of: 'field'; pointer: string }
  | { of: 'type'; id: string }
  | { of: 'variant'; union: string; id: string }

/** A longer way explains nothing. */
const MAX_STEPS = 6

interface Reached {
  type: TypeRef
  steps: readonly Step[]
  /** What a list is called: the field that holds it. */
  name: Name
}

/** The shortest way from a value to a part of it; null where there is none that every language can write. */
export function routeTo(
  root: TypeRef,
  name: Name,
  target: Target,
  index: TypeIndex,
): readonly Step[] | null {
  const seen = new Set<string>()
  let reached: Reached[] = [{ type: root, steps: [], name }]
  while (reached.length > 0) {
    const found = reached.find((one) => isAt(one, target, index))
    if (found) return namesDiffer(name, found.steps) ? found.steps : null
    reached = reached.flatMap((one) => {
      const id = index.target(index.nonNull(one.type))?.id
      if (one.steps.length >= MAX_STEPS || (id !== undefined && seen.has(id))) return []
      if (id !== undefined) seen.add(id)
      return stepsFrom(one, index)
    })
  }
  return null
}

function isAt({ type, steps }: Reached, target: Target, index: TypeIndex): boolean {
  const last = steps.at(-1)
  switch (target.of) {
    case 'field':
      return last?.of === 'field' && last.field.pointer === target.pointer
    case 'type':
      return namesType(type, target.id, index)
    case 'variant': {
      const before = last?.of === 'variant' ? last : null
      return before !== null && before.model.id === target.id && before.union === target.union
    }
  }
}

/** Whether a type is a declaration, also under another name. */
function namesType(type: TypeRef, id: string, index: TypeIndex): boolean {
  const bare = index.nonNull(type)
  return (bare.kind === 'ref' && bare.id === id) || index.target(bare)?.id === id
}

function stepsFrom({ type, steps, name }: Reached, index: TypeIndex): Reached[] {
  const bare = index.resolve(index.nonNull(type))
  if (bare.kind === 'list') {
    const singular = singularName(name)
    const noun = TAKEN_NOUNS.has(singular.join('').toLowerCase()) ? ['item'] : singular
    return [{ type: bare.of, steps: [...steps, { of: 'item', noun, type: bare.of }], name: noun }]
  }
  const decl = index.target(bare)
  if (decl?.kind === 'model') {
    return index
      .fields(decl)
      .filter((field) => isReceived(field) && isVisible(field))
      .map((field) => ({
        type: field.type,
        steps: [...steps, { of: 'field', field } as const],
        name: field.name,
      }))
  }
  if (decl?.kind !== 'union') return []
  return variantsOf(decl, index).map(({ value, model }) => ({
    type: { kind: 'ref', id: model.id },
    steps: [
      ...steps,
      { of: 'variant', union: decl.id, model, tag: { property: decl.tag?.property ?? '', value } },
    ],
    name: model.name,
  }))
}

/** A constant that Go sends by itself is no field there. */
function isVisible({ type, presence, direction }: Field): boolean {
  return type.kind !== 'literal' || presence !== 'required' || direction === 'read'
}

/** The objects of a union with a tag. Others have no way to tell them apart that all languages share. */
export function variantsOf(
  { tag }: Union,
  index: TypeIndex,
): Array<{ value: string; model: Model }> {
  return Object.entries(tag?.mapping ?? {}).flatMap(([value, id]) => {
    const model = index.model({ kind: 'ref', id })
    return model ? [{ value, model }] : []
  })
}

/** Variables of nested loops must not hide each other. */
function namesDiffer(name: Name, steps: readonly Step[]): boolean {
  const nouns = [
    name,
    ...steps.flatMap((step) =>
      step.of === 'item' ? [step.noun] : step.of === 'variant' ? [step.model.name] : [],
    ),
  ].map((noun) => noun.join('').toLowerCase())
  return new Set(nouns).size === nouns.length
}
