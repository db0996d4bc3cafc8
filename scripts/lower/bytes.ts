import { object, pointerOf } from '../contract/json.ts'
import { holding } from '../model/reach.ts'
import type { Decl, Operation, TypeRef, Webhook } from '../model/types.ts'
import type { Context } from './context.ts'

/** JSON has no bytes; text that holds some has an encoding. */
export function refuseBytesInJson(
  operations: readonly Operation[],
  webhooks: readonly Webhook[],
  decls: readonly Decl[],
  context: Context,
): void {
  const holdsBytes = holding('binary', decls)
  const check = (owner: string, pointer: string, types: readonly TypeRef[]): void => {
    if (!types.some(holdsBytes)) return
    context.owner = owner
    const message = 'JSON cannot hold raw bytes'
    const fix = 'State their encoding: contentEncoding: base64 or format: byte'
    context.unsupported(object(context.at(pointer)), undefined, message, fix)
    context.owner = null
  }
  for (const { id, pointer, body, responses } of operations) {
    const bodies = [body, ...responses.map((response) => response.body)]
    const json = bodies.flatMap((one) => (one?.format === 'json' ? [one.type] : []))
    check(id, pointer, json)
  }
  for (const { event, payload } of webhooks)
    check(`webhook ${event}`, pointerOf(['webhooks', event]), [payload])
}
