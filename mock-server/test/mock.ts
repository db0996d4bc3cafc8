/** A mock server in a test, whose data is where TEST_STORE says. */
import { type MockServer, type MockServerOptions, startMockServer } from '../src/mock-server.ts'
import { place } from './stores.ts'

export function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  return startMockServer(place(), options)
}
