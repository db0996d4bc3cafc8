/** What the processes that share a store ask each other. What they say is JSON. */

export type Respond = (body: never) => Promise<unknown>

export interface Peers {
  /** Responds to what other processes request by a name. */
  handle(name: string, respond: Respond): void
  /** Requests the same of all others. @returns what those respond that do so in time. */
  requestAll<T>(name: string, body: unknown): Promise<Array<{ peer: string; response: T }>>
  /**
   * Requests something of one process.
   *
   * @param signal Ends the wait.
   * @throws {PeerGone} where it does not live, or does not respond in time; {PeerFailed} where it failed.
   */
  request<T>(peer: string, name: string, body: unknown, options?: RequestOptions): Promise<T>
}

export interface RequestOptions {
  /** How long to wait, in milliseconds. */
  timeout?: number
  signal?: AbortSignal
}

export class PeerGone extends Error {}

/** What another process refused. */
export class PeerFailed extends Error {
  /** As the process told it. */
  readonly detail: unknown

  constructor(detail: unknown) {
    super('another process of this server failed')
    this.detail = detail
  }
}

/** Those of a process that has the store for itself. */
export const ALONE: Peers = {
  handle: () => {},
  requestAll: async () => [],
  request: async () => {
    throw new PeerGone('there is no other process')
  },
}
