import type { Decl, Field, TypeRef, Union } from '../../model/types.ts'
import type { Side } from './side.ts'
import type { Slot, Types } from './types.ts'

/** Compares the tags and the variants of a union in one direction. */
export function compareUnions(types: Types, before: Union, after: Union, slot: Slot): void {
  const { direction } = slot
  if (!types.enter(before, after, direction) || direction === 'error') return
  const users = types.before.usersOf(before.id, direction)
  const add = (
    change: string,
    key: string,
    values: { before?: string; after?: string },
    named: 'before' | 'after' = 'before',
  ) =>
    types.findings.add({
      kind: `${direction}-${change}`,
      key: `types/${before.id}/${key}`,
      before: before.pointer,
      after: after.pointer,
      subject: { of: 'type', decl: before },
      named,
      values,
      users,
    })

  const [oldTag, newTag] = [before.tag?.property, after.tag?.property]
  if (oldTag && newTag && oldTag !== newTag) {
    add('union-tag-renamed', `tag/${oldTag}`, { before: oldTag, after: newTag })
  }
  // A request needs no tag where its variants are told apart by their shape.
  if (oldTag && !newTag && direction === 'response') {
    add('union-tag-removed', `tag/${oldTag}`, { before: oldTag })
  }

  const now = new Map(after.variants.map((variant) => [variantName(variant, types.after), variant]))
  const tags = tagsOf(after)
  for (const variant of before.variants) {
    const name = variantName(variant, types.before)
    const tag = tagsOf(before).get(name)
    // A variant that has another name may still stand for the same value.
    const sameTag = [...tags].find(([id, value]) => value === tag && now.has(id))?.[0]
    const partner = now.has(name) ? name : tag === undefined ? undefined : sameTag
    const match = partner === undefined ? undefined : now.get(partner)
    if (partner === undefined || match === undefined) {
      add('variant-removed', name, { before: name })
      continue
    }
    now.delete(partner)
    const newValue = tags.get(partner)
    if (tag !== undefined && newValue !== undefined && tag !== newValue) {
      add('union-tag-value-changed', `tag/${tag}`, { before: tag, after: newValue })
    }
    types.compare(variant, match, { ...slot, key: `types/${before.id}/${name}` })
  }
  for (const name of now.keys()) add('variant-added', name, { after: name }, 'before')
}

/** The value of the tag for which each variant stands. */
function tagsOf({ tag }: Union): Map<string, string> {
  return new Map(Object.entries(tag?.mapping ?? {}).map(([value, id]) => [id, value]))
}

function variantName(variant: TypeRef, { index }: Side): string {
  if (variant.kind === 'ref') return variant.id
  const bare = index.nonNull(variant)
  if (bare.kind === 'primitive') return bare.type
  return bare.kind === 'ref' ? bare.id : JSON.stringify(bare)
}

/** The fields that hold the tags of unions, about which only the unions speak. */
export function tagFields({ api, index }: Side): Field[] {
  return api.decls.flatMap((decl: Decl) => {
    if (decl.kind !== 'union' || !decl.tag) return []
    const { property } = decl.tag
    return decl.variants.flatMap((variant) => {
      const model = index.model(variant)
      const fields = model ? index.fields(model) : []
      return fields.filter(({ wire }) => wire === property)
    })
  })
}
