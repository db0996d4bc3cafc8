export type { Factory } from '../fixtures/factory.js'
export type { Overrides } from '../fixtures/merge.js'
export { fixtures } from '../generated/fixtures.js'
export { mock, respond } from '../generated/handlers.js'
export type { Failure, FailureOptions } from './answer.js'
export {
  type CreateHandlersOptions,
  createHandlers,
  type HandlerOptions,
  type Handlers,
  type MockedAnswer,
  type MockedCall,
  type MockedOperation,
  type MockedResult,
} from './handlers.js'
