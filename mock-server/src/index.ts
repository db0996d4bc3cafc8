import { type MockServer, type MockServerOptions, startMockServer } from './mock-server.ts'

export type { Attempt, Delivery } from './control/shown.ts'
export type { FaultRule } from './faults/rules.ts'
export type {
  FaultOptions,
  MockConversation,
  MockConversations,
  MockSnapshot,
  RequestsFilter,
} from './in-test.ts'
export type {
  EventKind,
  MockEndpoint,
  MockEndpointOptions,
  MockServer,
  MockServerOptions,
} from './mock-server.ts'
export type { LoggedRequest } from './requests/shown.ts'
export type { Order as DeliveryOrder } from './sandbox/deliveries.ts'
export type { DeliveryFilter, State as DeliveryState } from './store/types.ts'

/**
 * Starts a mock server inside a test, with everything in memory.
 *
 * @throws {Error} if the contract or the seed is invalid, the port is in use, or the recording cannot
 * be written.
 */
export function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  return startMockServer({ file: ':memory:' }, options)
}
