import { current, indexOf, isReceived, receivedBy, sentBy, type Traffic } from '../model/index.ts'
import { reachableFrom } from '../model/reach.ts'
import { inTurn } from '../model/turns.ts'
import type { Api, Decl, ExampleCall, Operation } from '../model/types.ts'
import { fold } from '../model/words.ts'

/** What depends on which operations and events there are, and so is settled again without some. */
export function settle(traffic: Traffic): Pick<Api, 'decls' | 'exampleCall'> {
  const decls = stateOnce(settleTravel(traffic))
  return { decls, exampleCall: exampleCallOf({ ...traffic, decls }) }
}

/**
 * Declarations whose fields say whether they may be absent: a type that both requests and responses
 * hold cannot rely on a field that only one of them has, even where that one requires it. Old names
 * remain where data is read and they are free.
 */
function settleTravel(traffic: Traffic): Decl[] {
  const sent = sentBy(traffic)
  const received = receivedBy(traffic)
  const index = indexOf(traffic.decls)
  return traffic.decls.map((decl) => {
    if (decl.kind !== 'model') return decl
    const taken = new Set(index.fields(decl).map(({ name }) => fold(name)))
    const fields = decl.fields.map(({ oldName, ...field }) => {
      const { presence, direction } = field
      const isElsewhere =
        (direction === 'read' && sent.has(decl.id)) ||
        (direction === 'write' && received.has(decl.id))
      const isKept = oldName && received.has(decl.id) && !taken.has(fold(oldName.name))
      return {
        ...field,
        mayBeAbsent: presence === 'optional' || isElsewhere,
        ...(isKept && isReceived(field) ? { oldName } : {}),
      }
    })
    return { ...decl, fields }
  })
}

/**
 * Drops the reason of an assumption where a declaration that refers to this one gives the same
 * reason.
 */
function stateOnce(decls: readonly Decl[]): Decl[] {
  const find = indexOf(decls).decl
  const sameReason = new Map<string, Decl[]>()
  const below = new Map<Decl, ReadonlySet<string>>()
  for (const decl of decls) {
    const { assumed } = decl.doc
    if (assumed === null) continue
    sameReason.set(assumed, [...(sameReason.get(assumed) ?? []), decl])
    below.set(decl, reachableFrom([decl.id], find))
  }
  const isAbove = (above: Decl, decl: Decl): boolean | undefined =>
    above !== decl &&
    below.get(above)?.has(decl.id) &&
    // Of two that hold each other, the first.
    (above.id < decl.id || !below.get(decl)?.has(above.id))
  return decls.map((decl) => {
    const others = decl.doc.assumed === null ? [] : (sameReason.get(decl.doc.assumed) ?? [])
    const isStated = others.some((above) => isAbove(above, decl))
    return isStated ? { ...decl, doc: { ...decl.doc, assumed: null } } : decl
  })
}

/** The first list that comes in pages, else the first call that needs nothing. */
function exampleCallOf({ operations, decls }: Traffic): ExampleCall | null {
  const shown = inTurn(current(operations))
  const list = shown.find(({ page, pathParams }) => page && pathParams.length === 0)
  const operation = list ?? shown.find(needsNothing)
  if (!operation) return null
  const index = indexOf(decls)
  const item = operation.page && index.model(operation.page.item)
  const fields = item ? index.fields(item) : []
  return { operation: operation.id, itemHasId: fields.some(({ wire }) => wire === 'id') }
}

function needsNothing({ pathParams, body, queryParams, headerParams }: Operation): boolean {
  const hasRequired = [...queryParams, ...headerParams].some(({ required }) => required)
  return pathParams.length === 0 && !body && !hasRequired
}
