import type { Api, Decl, Field } from '../../model/types.ts'
import { blocks, code, json, table } from '../core/markdown.ts'
import { paragraphs, remark, TypeNames } from './types.ts'

/** Every named type. */
export function schemasPage(api: Api): string {
  const types = new TypeNames(api, '')
  return blocks('# Schemas', ...schemaSections(api, types))
}

/** A section for each named type. */
export function schemaSections(api: Api, types: TypeNames): string[] {
  return api.decls.map((decl) => schema(decl, types))
}

function schema(decl: Decl, types: TypeNames): string {
  return blocks(
    `## ${types.of(decl)}`,
    paragraphs(decl.doc),
    shape(decl, types),
    decl.example !== undefined && json(decl.example),
  )
}

function shape(decl: Decl, types: TypeNames): string {
  switch (decl.kind) {
    case 'model': {
      const bases = decl.extends.map((id) => types.describe({ kind: 'ref', id }))
      return blocks(
        bases.length > 0 && `All fields of ${bases.join(', ')}, and:`,
        decl.fields.length > 0 && fields(decl.fields, types),
        decl.extra && `Any other field: ${types.describe(decl.extra)}.`,
      )
    }
    case 'enum':
      return `One of ${decl.values.map((value) => code(String(value))).join(', ')}. New values may be added.`
    case 'union': {
      const variants = decl.variants.map((variant) => `- ${types.describe(variant)}`).join('\n')
      return blocks(
        decl.tag
          ? `One of these types. ${code(decl.tag.property)} selects it:`
          : 'One of these types:',
        variants,
      )
    }
    case 'alias':
      return `Type: ${types.describe(decl.type)}.`
  }
}

function fields(list: readonly Field[], types: TypeNames): string {
  return table(
    ['Field', 'Type', 'Presence', 'Description'],
    list.map((field) => [
      code(field.wire),
      types.describe(field.type),
      presence(field),
      remark(field.doc),
    ]),
  )
}

function presence({ presence, direction, default: fallback }: Field): string {
  const only = { both: '', read: ', in responses only', write: ', in requests only' }[direction]
  const otherwise = fallback === undefined ? '' : `, default ${code(JSON.stringify(fallback))}`
  return presence + only + otherwise
}
