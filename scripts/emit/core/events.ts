import type { Api, Signature } from '../../model/types.ts'

/** Whether a contract describes both its events and their signature. */
export function hasEvents(api: Api): api is Api & { signature: Signature } {
  return api.signature !== null && api.webhooks.length > 0
}
