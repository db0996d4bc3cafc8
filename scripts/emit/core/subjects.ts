import type { Api, Decl, Enum, Field, Operation, Parameter, Webhook } from '../../model/types.ts'

/** How a language spells the parts of an API, for texts about them. */
export interface Subjects {
  /** Like `client.orders.list`. */
  operation(operation: Operation): string
  /** Like `client.orders.list(limit:)`. */
  parameter(operation: Operation, parameter: Parameter, api: Api): string
  type(decl: Decl, api: Api): string
  field(decl: Decl, field: Field, api: Api): string
  /** A value of an enum. */
  value(decl: Enum, value: string | number, api: Api): string
  /** The type of an event, else its kind. */
  event(webhook: Webhook, api: Api): string
}

/** The name of the declaration that an event carries; null where it has none. */
export function payloadId({ payload }: Webhook): string | null {
  return payload.kind === 'ref' ? payload.id : null
}
