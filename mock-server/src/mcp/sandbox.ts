/** What the tools act on. */
export interface Sandbox {
  /** Without a path. */
  url: string
  key: string
  /** Sends a request with the key. The path begins with a slash. */
  send(path: string, init?: RequestInit): Promise<Response>
}

/** The body of a response of the control API. */
export async function read<T>(sandbox: Sandbox, path: string, body?: object): Promise<T> {
  const response = await sandbox.send(path, body && posting(body))
  const value = await response.json()
  if (!response.ok) throw new Refused(response.status, value)
  return value as T
}

/** A request that the sandbox refuses. */
export class Refused extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(`status ${status}`)
    this.status = status
    this.body = body
  }
}

function posting(body: object): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
