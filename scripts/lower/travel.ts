import { receivedBy, sentBy, type Traffic } from '../model/index.ts'
import type { Decl } from '../model/types.ts'

/**
 * Declarations whose fields say whether they may be absent: a type that both requests and responses
 * hold cannot rely on a field that only one of them has, even where that one requires it.
 */
export function settleTravel(traffic: Traffic): Decl[] {
  const sent = sentBy(traffic)
  const received = receivedBy(traffic)
  return traffic.decls.map((decl) => {
    if (decl.kind !== 'model') return decl
    const fields = decl.fields.map((field) => {
      const { presence, direction } = field
      const isElsewhere =
        (direction === 'read' && sent.has(decl.id)) ||
        (direction === 'write' && received.has(decl.id))
      return { ...field, mayBeAbsent: presence === 'optional' || isElsewhere }
    })
    return { ...decl, fields }
  })
}
