import type { Api, Signature } from '../../model/types.ts'

/** Whether a contract says both what its events are and how they are signed. */
export function hasEvents(api: Api): api is Api & { signature: Signature } {
  return api.signature !== null && api.webhooks.length > 0
}
