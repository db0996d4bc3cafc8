import { object } from '../../contract/json.ts'
import type { Operation, Parameter } from '../../model/types.ts'
import { match, saySame } from './match.ts'
import { adder, type Pair } from './operations.ts'
import type { In, Part, Side } from './side.ts'
import type { Slot, Types } from './types.ts'

/** A parameter with what the document says about it. */
interface Described {
  parameter: Parameter
  part: Part
}

export function compareParameters(types: Types, pair: Pair): void {
  comparePathParameters(types, pair)
  const had = paramsOf(pair.before).length > 0
  const isDemanding = paramsOf(pair.after).some(({ required }) => required)
  const isFirst = !had && paramsOf(pair.after).length > 0 && !isDemanding
  for (const location of ['query', 'header'] as const) compareNamed(types, pair, location, isFirst)
  if (isFirst) adder(types, pair)('parameters-introduced')
  const order = ({ queryParams }: Operation, others: Operation) => {
    const names = new Set(others.queryParams.map(({ wire }) => wire))
    return queryParams.filter(({ wire }) => names.has(wire)).map(({ wire }) => wire)
  }
  const [old, now] = [order(pair.before, pair.after), order(pair.after, pair.before)]
  if (old.join() !== now.join()) adder(types, pair)('parameters-reordered', old.join(), now.join())
}

function paramsOf({ queryParams, headerParams }: Operation): Parameter[] {
  return [...queryParams, ...headerParams]
}

/** By position, because that is how they are given. */
function comparePathParameters(types: Types, pair: Pair): void {
  const [old, now] = [pair.before.pathParams, pair.after.pathParams]
  const names = new Set(now.map(({ wire }) => wire))
  const isReordered = old.length === now.length && old.every(({ wire }) => names.has(wire))
  const partnerOf = (parameter: Parameter, index: number) =>
    isReordered || old.length !== now.length
      ? now.find(({ wire }) => wire === parameter.wire)
      : now[index]
  const found = new Set<Parameter>()
  for (const [index, parameter] of old.entries()) {
    const partner = partnerOf(parameter, index)
    const location = slotOf(types, pair, 'path', parameter, partner ?? null)
    if (!partner) {
      types.report(location, 'removed', { before: parameter.wire })
      continue
    }
    found.add(partner)
    if (parameter.wire !== partner.wire) {
      const names = { before: parameter.wire, after: partner.wire }
      types.report(location, 'renamed', names, {
        from: parameter.wire,
        to: partner.wire,
        certain: true,
      })
    }
    compareTypes(types, pair, 'path', parameter, partner, location)
  }
  for (const parameter of now.filter((one) => !found.has(one))) {
    types.report(slotOf(types, pair, 'path', null, parameter), 'added', { after: parameter.wire })
  }
}

function compareNamed(
  types: Types,
  pair: Pair,
  location: 'query' | 'header',
  isFirst: boolean,
): void {
  const described = (operation: Operation, side: Side): Described[] =>
    operation[`${location}Params`].map((parameter) => ({
      parameter,
      part: side.parameter(operation, location, parameter.wire),
    }))
  const settled = renamedByPages(pair)
  const isFree = ({ parameter }: Described) => !settled.has(parameter.wire)
  const matched = match(
    described(pair.before, types.before).filter(isFree),
    described(pair.after, types.after).filter(isFree),
    {
      // Names of headers do not depend on case.
      name: ({ parameter: { wire } }) => (location === 'header' ? wire.toLowerCase() : wire),
      oldName: ({ part }) => part.node['x-renamed-from'],
      areAlike: (a, b) =>
        a.parameter.required === b.parameter.required &&
        saySame({ ...a.part.node, name: '' }, { ...b.part.node, name: '' }),
    },
  )
  for (const { parameter } of matched.removed) {
    const slot = slotOf(types, pair, location, parameter, null)
    types.report(slot, 'removed', { before: parameter.wire })
  }
  for (const { parameter } of matched.added) {
    // That there are parameters at all says it already.
    if (isFirst) continue
    const slot = slotOf(types, pair, location, null, parameter)
    const suffix = parameter.required ? 'added-required' : 'added'
    types.report(slot, suffix, { after: parameter.wire })
  }
  for (const { before, after, renamed } of matched.pairs) {
    const [from, to] = [before.parameter, after.parameter]
    const slot = slotOf(types, pair, location, from, to)
    if (renamed) {
      const certain = renamed === 'certain'
      const told = { before: from.wire, after: to.wire }
      const names = { from: from.wire, to: to.wire, certain }
      types.report(slot, from.required ? 'required-renamed' : 'renamed', told, names)
    }
    if (from.required !== to.required) {
      types.report(slot, to.required ? 'became-required' : 'became-optional')
    }
    compareTypes(types, pair, location, from, to, slot)
  }
}

function compareTypes(
  types: Types,
  pair: Pair,
  location: In,
  from: Parameter,
  to: Parameter,
  slot: Slot,
): void {
  const old = types.before.parameter(pair.before, location, from.wire)
  const now = types.after.parameter(pair.after, location, to.wire)
  const [schema, newSchema] = [object(old.node.schema), object(now.node.schema)]
  const told = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
  if (told(schema.default) !== told(newSchema.default)) {
    const values = { before: told(schema.default), after: told(newSchema.default) }
    types.report(slot, 'default-changed', values)
  }
  if (location !== 'path' && !from.doc.deprecated && to.doc.deprecated) {
    types.report(slot, 'deprecated')
  }
  if (location === 'query' && styleOf(from) !== styleOf(to)) {
    types.report(slot, 'style-changed', { before: styleOf(from), after: styleOf(to) })
  }
  types.compare(from.type, to.type, slot)
  const isLimit = location === 'query' && pair.after.page?.limitParam === to.wire
  const [most, least] = [Number(schema.maximum), Number(newSchema.maximum)]
  if (isLimit && least < most) {
    adder(types, pair)('pagination-limit-lowered', String(most), String(least))
    types.limits({ ...schema, maximum: least }, newSchema, slot)
  } else {
    types.limits(schema, newSchema, slot)
  }
}

/** One value is written alike in all styles. */
function styleOf({ shape, style }: Parameter): string {
  if (shape === 'scalar') return 'any'
  if (!style) return 'form (explode)'
  return style.explode ? `${style.style} (explode)` : style.style
}

/** A parameter that operations share is one location. */
function slotOf(
  { before, after }: Types,
  pair: Pair,
  location: In,
  from: Parameter | null,
  to: Parameter | null,
): Slot {
  const parameter = (from ?? to) as Parameter
  const operation = from ? pair.before : pair.after
  const side = from ? before : after
  const own = side.parameter(operation, location, parameter.wire)
  const isShared = own.pointer.startsWith('/components/')
  return {
    direction: 'request',
    prefix: `${location}-parameter`,
    key: isShared ? own.pointer : `${pair.before.id}/${location}/${parameter.wire}`,
    subject: { of: 'parameter', operation, parameter },
    before: from && before.parameter(pair.before, location, from.wire).pointer,
    after: to && after.parameter(pair.after, location, to.wire).pointer,
    users: () => [pair.after.id],
  }
}

/** The parameters whose new names are a change of the pagination. */
function renamedByPages({ before, after }: Pair): Set<string> {
  const [old, now] = [before.page, after.page]
  if (!old || !now) return new Set()
  const names: string[] = []
  if (old.cursorParam !== now.cursorParam) names.push(old.cursorParam, now.cursorParam)
  if (old.limitParam && now.limitParam && old.limitParam !== now.limitParam) {
    names.push(old.limitParam, now.limitParam)
  }
  return new Set(names)
}
