// Names of the package, which programs import or qualify.

import { indexOf } from '../../../model/index.ts'
import type { Decl, TypeRef } from '../../../model/types.ts'
import { every, oneOf, parent, within, without } from '../match.ts'
import { oldEvents, oldOperations } from '../parts.ts'
import { type Draft, type Matcher, mentions, type Scene, tied } from './scene.ts'

/** Uses of a type, by its name. */
export const types: Matcher = (scene) => {
  const { part, pair, grammar } = scene
  const { subject, renamed } = part
  if (subject.of !== 'type') return []
  const to = renamed?.certain ? grammar.names.type(renamed.to, pair.after) : undefined
  return typeNames(scene, subject.decl.id, to)
}

function typeNames({ pair, grammar }: Scene, id: string, to?: string): Draft[] {
  const name = grammar.names.type(id, pair.before)
  if (name === to) return []
  const rule = grammar.typeName(name, pair.before.platform)
  return [{ words: [name], rule, ...(to !== undefined && { fix: to }), certain: true }]
}

/** Where an event is told by its kind or by its type. */
export const events: Matcher = (scene) => {
  const { part, pair } = scene
  const { renamed } = part
  const isRenamed = renamed?.certain === true
  return oldEvents(part, pair).flatMap(({ event, payload }) => [
    ...texts(scene, event, isRenamed ? renamed.to : undefined),
    ...(payload.kind === 'ref' ? typeNames(scene, payload.id) : []),
  ])
}

/** A text in a comparison, which is certain; and anywhere else. */
function texts(scene: Scene, text: string, to: string | undefined): Draft[] {
  const { grammar, values } = scene
  const content = grammar.text(text)
  const compared = every(content, parent(every({ regex: '.' }, parent(grammar.comparisons))))
  const fix = to === undefined ? {} : { fix: to }
  return [
    { words: [text], rule: every(compared, values.known), ...fix, certain: true },
    { words: [text], rule: every(content, without(every(compared, values.known))), certain: false },
  ]
}

/** Where a program writes a value of an enum or of a tag, by its constant or as a text. */
export const constants: Matcher = (scene) => {
  const { part, pair, grammar, values } = scene
  const { subject } = part
  const value = subject.of === 'value' ? String(subject.value) : part.values?.before
  if (value === undefined) return []
  const constant =
    subject.of === 'value' ? grammar.names.value(subject.decl, subject.value, pair.before) : null
  const calls = oldOperations(part, pair).map((one) => values.calls(one))
  const content = grammar.text(value)
  const sent = calls.length === 0 ? [] : [within(oneOf(...calls))]
  const isCertain = oneOf(...sent, parent(every({ regex: '.' }, parent(grammar.comparisons))))
  const mentioned = mentions(scene)
  const near = mentioned ? [every(content, mentioned)] : []
  return [
    ...(constant === null
      ? []
      : [
          {
            words: [constant.split('::').at(-1) ?? constant],
            rule: grammar.constant(constant, pair.before.platform),
            certain: true,
          },
        ]),
    ...near.flatMap((rule) => [
      { words: [value], rule: every(rule, isCertain, values.known), certain: true },
      {
        words: [value],
        rule: every(rule, without(every(isCertain, values.known))),
        certain: false,
      },
    ]),
  ]
}

/** Variants of a union: the one that the change names by its type or its tag, else all. */
export const variants: Matcher = (scene) => {
  const { part, pair } = scene
  const { subject, values } = part
  const union = subject.of === 'type' ? subject.decl : undefined
  if (union?.kind !== 'union') return []
  const ids = variantsOf(union.variants, pair.before.decls)
  const mapping = Object.entries(union.tag?.mapping ?? {})
  const isNamed = ([tag, id]: [string, string]) => [tag, id].includes(values?.before ?? '')
  const named = mapping.filter(isNamed).map(([, id]) => id)
  const meant = ids.filter((id) => id === values?.before || named.includes(id))
  return (meant.length > 0 ? meant : ids).flatMap((id) => typeNames(scene, id))
}

/** The values of the tag of a variant. */
export const variantTags: Matcher = (scene) => {
  const { part } = scene
  const { subject, values } = part
  const union = subject.of === 'type' ? subject.decl : undefined
  if (union?.kind !== 'union') return []
  const tags = Object.entries(union.tag?.mapping ?? {}).filter(([, id]) => id === values?.before)
  return tags.flatMap(([tag]) =>
    constants({ ...scene, part: { ...part, values: { before: tag } } }),
  )
}

function variantsOf(types: readonly TypeRef[], decls: readonly Decl[]): string[] {
  const index = indexOf(decls)
  return types.flatMap((type) => index.target(type)?.id ?? [])
}

/** Where a program makes a client. */
export const clients: Matcher = ({ pair, grammar }) => {
  const { platform } = pair.before
  return grammar.makers.client(platform).map((name) => ({
    words: [name],
    rule: every(grammar.typeName(name, platform), without(within(grammar.imports))),
    certain: true,
  }))
}

/** Where a program makes a verifier of deliveries, or names one of their headers. */
export const verifiers: Matcher = (scene) => {
  const { part, pair, grammar } = scene
  const { platform } = pair.before
  const { before, after } = part.values ?? {}
  const name = grammar.makers.verifier
  const isHeader = /header/.test(part.kind) && before !== undefined && after !== undefined
  const made = every(grammar.typeName(name, platform), without(within(grammar.imports)))
  return [
    { words: [name], rule: made, certain: true },
    ...(isHeader ? tied(scene, { words: [before], rule: grammar.text(before), fix: after }) : []),
  ]
}

/** The problems of errors. */
export const problems: Matcher = (scene) => {
  const { grammar } = scene
  const rule = grammar.memberName({ regex: '.' }, grammar.problem)
  return tied(scene, { words: [grammar.problem], rule })
}
