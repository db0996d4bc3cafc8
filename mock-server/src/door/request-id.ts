import { randomUUID } from 'node:crypto'

/** A new id for a request, as the contract's examples look. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

/** The client's own id where it is a sane one, so that both logs can be matched; else a new one. */
export function requestIdOf(headers: Record<string, string | undefined>): string {
  const sent = headers['x-request-id'] ?? ''
  return /^[\w.:~-]{1,128}$/.test(sent) ? sent : newRequestId()
}
