import { fetchHandler } from './door/fetch.ts'
import { createLog } from './door/log.ts'
import { startServer } from './server.ts'

export interface MockServerOptions {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number
  /** The path of an OpenAPI document to answer; by default the Support Chat contract. */
  contract?: string
}

export interface MockServer {
  /** The base URL, for example `http://127.0.0.1:51234`: no version, no trailing slash. */
  url: string
  /** A key that the server accepts. */
  apiKey: string
  /** Answers like the server, without a connection. A path is taken relative to `url`. */
  fetch: typeof globalThis.fetch
  /** Stops listening once the running requests have ended. May be called more than once. */
  close(): Promise<void>
}

/**
 * Starts a mock server inside a test.
 *
 * @throws {Error} where the contract is invalid or the port is taken.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { port = 0, contract } = options
  const server = await startServer({ port, host: '127.0.0.1', contract, log: createLog('error') })
  return {
    url: server.url,
    apiKey: 'sk_test_demo',
    fetch: fetchHandler(server.handler, server.url),
    close: server.close,
  }
}
