import { randomUUID } from 'node:crypto'

/** A new request id in the form of the contract's examples. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

/** The id that the client sent if it is valid, so that both logs can be matched; else a new one. */
export function requestIdOf(sent = ''): string {
  return /^[\w.:~-]{1,128}$/.test(sent) ? sent : newRequestId()
}
