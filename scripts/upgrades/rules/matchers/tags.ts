import type { Finding } from '../../../changes/compare/findings.ts'
import { indexOf } from '../../../model/index.ts'
import type { Api, Field, Model, Union } from '../../../model/types.ts'
import { given } from './arguments.ts'
import { fields } from './fields.ts'
import type { Matcher } from './scene.ts'

/** The tag of a union, as a field of its variants. */
export const tags: Matcher = (scene) => {
  const { part, pair } = scene
  const { subject } = part
  if (subject.of !== 'type' || subject.decl.kind !== 'union') return []
  const [from, to] = [subject.decl.tag?.property, part.values?.after]
  const union = pair.after.decls.find(({ pointer }) => pointer === part.after)
  const renamed = union?.kind === 'union' ? tagOf(union, to, pair.after) : undefined
  const matcher = part.kind.startsWith('request-') ? given : fields
  const [model] = modelsOf(subject.decl, pair.before)
  const field = model && fieldOf(model, from, pair.before)
  if (!field) return []
  const about: Finding = {
    ...part,
    subject: { of: 'field', decl: model, field },
    after: renamed?.pointer ?? null,
    ...(renamed && { renamed: { from: field.wire, to: renamed.wire, certain: true } }),
  }
  return matcher({ ...scene, part: about })
}

function tagOf(union: Union, wire: string | undefined, api: Api): Field | undefined {
  return modelsOf(union, api)
    .map((model) => fieldOf(model, wire, api))
    .find((field) => field !== undefined)
}

function fieldOf(model: Model, wire: string | undefined, { decls }: Api): Field | undefined {
  return indexOf(decls)
    .fields(model)
    .find((field) => field.wire === wire)
}

function modelsOf({ variants }: Union, { decls }: Api): Model[] {
  const index = indexOf(decls)
  return variants.flatMap((variant) => index.model(variant) ?? [])
}
