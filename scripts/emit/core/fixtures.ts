import { indexOf, isReceived, type TypeIndex } from '../../model/index.ts'
import { idsOf, reachableFrom } from '../../model/reach.ts'
import type { Api, Model, Operation, Response, TypeRef } from '../../model/types.ts'
import { Shaper } from './shaper.ts'

/** One value of an object that responses hold. */
export interface Fixture {
  model: Model
  /** As JSON. */
  value: Readonly<Record<string, unknown>>
}

/** A value, and its type. */
interface Shown {
  type: TypeRef
  value: unknown
}

/**
 * One value of each object that responses hold, in the order of the declarations: the first that the
 * contract shows, else one made of its types. A value that stands by itself comes before one that is a
 * part of another.
 */
export function fixturesOf(api: Api): Fixture[] {
  const index = indexOf(api.decls)
  const shown = examplesIn(api, index)
  const shaper = new Shaper(index)
  const types = api.operations.flatMap(({ responses }) =>
    responses.flatMap(({ body }) => body ?? []),
  )
  const held = reachableFrom(
    types.flatMap(({ type }) => idsOf(type)),
    index.decl,
  )
  return api.decls.flatMap((decl) => {
    if (decl.kind !== 'model' || !held.has(decl.id)) return []
    const value = shown.get(decl.id) ?? shaper.make({ kind: 'ref', id: decl.id })
    return isObject(value) ? [{ model: decl, value: received(value, decl, index) }] : []
  })
}

/** The first value of each object among the examples, by the id of its declaration. */
function examplesIn({ operations, webhooks, decls }: Api, index: TypeIndex) {
  const pending: Shown[] = [
    ...decls.map(({ id, example }) => ({ type: { kind: 'ref', id } as const, value: example })),
    ...operations.flatMap(({ responses, page }) =>
      responses.flatMap(({ body }) =>
        body ? shownIn(body, page).map((value) => ({ type: body.type, value })) : [],
      ),
    ),
    ...webhooks.flatMap(({ payload, examples }) =>
      examples.map(({ value }) => ({ type: payload, value })),
    ),
  ]
  const found = new Map<string, Record<string, unknown>>()
  // The list grows while it is read, so that parts come after all that stands by itself.
  for (const { type, value } of pending) {
    const resolved = index.resolve(type)
    if (resolved.kind === 'nullable') {
      pending.push({ type: resolved.of, value })
    } else if (resolved.kind === 'list' && Array.isArray(value)) {
      pending.push(...value.map((item) => ({ type: resolved.of, value: item })))
    } else if (resolved.kind === 'map' && isObject(value)) {
      pending.push(...Object.values(value).map((item) => ({ type: resolved.of, value: item })))
    } else if (resolved.kind === 'ref' && isObject(value)) {
      const decl = index.decl(resolved.id)
      if (decl?.kind === 'union' && decl.tag) {
        const id = decl.tag.mapping[String(value[decl.tag.property])]
        if (id !== undefined) pending.push({ type: { kind: 'ref', id }, value })
      } else if (decl?.kind === 'model') {
        if (!found.has(decl.id)) found.set(decl.id, value)
        for (const { wire, type } of index.fields(decl)) {
          if (Object.hasOwn(value, wire)) pending.push({ type, value: value[wire] })
        }
      }
    }
  }
  return found
}

/** The values of a response that the contract shows. Of pages, the longest list that is complete is first. */
export function shownIn(
  { examples }: NonNullable<Response['body']>,
  page: Operation['page'],
): unknown[] {
  const values = examples.map(({ value }) => value)
  if (!page) return values
  const rank = (value: unknown): number => {
    const { [page.items]: items, [page.nextCursor]: cursor } = isObject(value) ? value : {}
    const length = Array.isArray(items) ? items.length : 0
    return length + (length > 0 && (cursor ?? null) === null ? 1e6 : 0)
  }
  return values.sort((a, b) => rank(b) - rank(a))
}

/** A value without the fields that only requests hold. */
function received(value: Record<string, unknown>, model: Model, index: TypeIndex) {
  const sent = index.fields(model).filter((field) => !isReceived(field))
  const hidden = new Set(sent.map(({ wire }) => wire))
  return Object.fromEntries(Object.entries(value).filter(([key]) => !hidden.has(key)))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
