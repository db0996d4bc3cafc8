/** A mock server in a test, whose data is where TEST_STORE says. */
import { type MockServer, type MockServerOptions, startMockServer } from '../src/mock-server.ts'
import { balanced } from './replicated.ts'
import { isReplicated, place } from './stores.ts'

export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const store = place()
  const first = await startMockServer(store, options)
  if (!isReplicated) return first
  const { webhooks: _, port: __, ...others } = options
  return balanced(first, await startMockServer(store, others))
}
