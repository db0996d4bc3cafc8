import { receivedBy, sentBy } from '../../model/index.ts'
import type { Api, TypeRef, Union } from '../../model/types.ts'
import type { GoFile } from './file.ts'
import { quote } from './literal.ts'
import { capitalized } from './naming.ts'
import { scalarType, type TaggedUnion, type Types } from './references.ts'

/** An interface if the union has a discriminator, else a struct that holds one variant. */
export function writeUnion(union: Union, isReceived: boolean, types: Types, file: GoFile): void {
  const name = types.name(union.id)
  const tagged = types.tagged(union)
  if (!tagged) {
    writeShapes(name, union, types, file)
    return
  }
  file.lines(`type ${name} interface{ is${name}() }`, '')
  for (const { id } of tagged.variants) file.lines(`func (${types.name(id)}) is${name}() {}`)
  if (!isReceived) return
  file.use('encoding/json').lines('')
  file.doc(
    `${unknownName(name)} holds an unknown variant of [${name}] as the JSON that was received.`,
  )
  file.lines(`type ${unknownName(name)} struct{ json.RawMessage }`, '')
  file.lines(`func (${unknownName(name)}) is${name}() {}`)
}

/** The table from which the runtime finds the variant of a union. */
export function writeUnions(api: Api, received: ReadonlySet<string>, types: Types, file: GoFile) {
  const entries = api.decls.flatMap((decl) => {
    const tagged = decl.kind === 'union' && received.has(decl.id) ? types.tagged(decl) : null
    return tagged ? [{ name: types.name(decl.id), tagged }] : []
  })
  file.use('reflect').doc('unions holds the unions of responses and events.')
  const start = 'var unions = map[reflect.Type]taggedUnion{'
  if (entries.length === 0) {
    file.lines(`${start}}`)
    return
  }
  const write = () => {
    for (const { name, tagged } of entries) entry(name, tagged, types, file)
  }
  file.block(start, write, '}')
}

/** The types that are read: all but those that only requests contain. */
export function readTypes(api: Api): ReadonlySet<string> {
  const sent = sentBy(api)
  const received = receivedBy(api)
  const ids = api.decls.map(({ id }) => id)
  return new Set(ids.filter((id) => received.has(id) || !sent.has(id)))
}

/** The name of the type that holds an unknown variant. */
export function unknownName(union: string): string {
  return `Unknown${union}`
}

/** The names of the variants of a union without a tag, each with its type. */
export function shapesOf({ id, variants }: Union, types: Types): Map<string, TypeRef> {
  const union = types.name(id)
  return new Map(variants.map((variant) => [shortName(shapeName(variant, types), union), variant]))
}

/** A type from inside a union already carries the union's name. */
function shortName(name: string, union: string): string {
  const rest = name.startsWith(union) ? name.slice(union.length) : ''
  return /^\p{Lu}/u.test(rest) ? rest : name
}

function entry(name: string, { property, mapping }: TaggedUnion, types: Types, file: GoFile): void {
  const typeFor = (type: string) => `reflect.TypeFor[${type}]()`
  const variants = [...mapping].map(
    ([value, { id }]) => `${quote(value)}: ${typeFor(types.name(id))}`,
  )
  const map = 'map[string]reflect.Type{'
  const fields = () => {
    file.lines(`tag: ${quote(property)},`)
    if (variants.length === 1) file.lines(`variants: ${map}${variants.join('')}},`)
    else file.block(`variants: ${map}`, () => file.lines(...variants.map((one) => `${one},`)), '},')
    file.lines(`unknown: ${typeFor(unknownName(name))},`)
  }
  file.block(`${typeFor(name)}: {`, fields, '},')
}

function writeShapes(name: string, union: Union, types: Types, file: GoFile): void {
  file.lines(`type ${name} struct{ oneOf }`)
  for (const [shape, variant] of shapesOf(union, types)) {
    const type = types.text(variant, file)
    file.lines('').doc(`${name}Of${shape} returns the ${name} that holds v.`)
    file.lines(`func ${name}Of${shape}(v ${type}) ${name} { return ${name}{oneOf{v}} }`, '')
    file.doc(`As${shape} reads the value as type ${type}; ok is false if it has another shape.`)
    file.lines(
      `func (x ${name}) As${shape}() (value ${type}, ok bool) { return as[${type}](x.oneOf) }`,
    )
  }
}

const SHAPES: Readonly<Record<string, string>> = { 'time.Time': 'Time', '[]byte': 'Bytes' }

function shapeName(type: TypeRef, types: Types): string {
  switch (type.kind) {
    case 'list':
      return `${shapeName(type.of, types)}List`
    case 'map':
      return `${shapeName(type.of, types)}Map`
    case 'nullable':
      return shapeName(type.of, types)
    case 'ref':
      return types.name(type.id)
    default: {
      const text = scalarType(type)
      return SHAPES[text] ?? capitalized(text)
    }
  }
}
