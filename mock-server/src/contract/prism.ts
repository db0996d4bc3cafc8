/**
 * Prism, in process. Its validator and its mocker are called one by one, since code that holds state
 * wants the first without the second; its HTTP server is not used (a malformed path, Accept or body
 * ends or hangs it), nor is its router.
 */
import { createInstance, type PrismHttpComponents } from '@stoplight/prism-http'

/** Reads the operations of a document, given its path or its value. */
export { getHttpOperationsFromSpec } from '@stoplight/prism-http'

/** An operation in Prism's form: dereferenced, with JSON Schemas. */
export type PrismOperation = Parameters<PrismHttpComponents['validateInput']>[0]['resource']
export type PrismRequest = Parameters<PrismHttpComponents['validateInput']>[0]['element']
export type PrismResponse = Parameters<PrismHttpComponents['validateOutput']>[0]['element']
type Diagnostic = Extract<
  ReturnType<PrismHttpComponents['validateInput']>,
  { _tag: 'Left' }
>['left'][number]

const silent = () => {}
const logger = {
  debug: silent,
  trace: silent,
  info: silent,
  warn: silent,
  error: silent,
  success: silent,
}
const components = {
  logger: { ...logger, child: () => components.logger },
} as unknown as PrismHttpComponents

// Fills `components` with Prism's own parts.
createInstance(
  {
    mock: { dynamic: false },
    checkSecurity: false,
    validateRequest: true,
    validateResponse: false,
    errors: false,
    isProxy: false,
    upstreamProxy: undefined,
  },
  components,
)

/** The problems of a request; empty if it is valid. */
export function validateRequest(resource: PrismOperation, element: PrismRequest): Diagnostic[] {
  const result = components.validateInput({ resource, element })
  return result._tag === 'Left' ? result.left : []
}

/** The problems of a response; empty if it is valid. */
export function validateResponse(resource: PrismOperation, element: PrismResponse): Diagnostic[] {
  const result = components.validateOutput({ resource, element })
  return result._tag === 'Left' ? result.left : []
}

/**
 * Makes a response from the contract's examples or, where it has none, from its schemas.
 *
 * @param choice The status, media type and example to take; all of them declared.
 * @throws Where the contract does not have the choice.
 */
export function mockResponse(
  resource: PrismOperation,
  choice: { code: number; mediaTypes?: string[]; exampleKey?: string },
): PrismResponse {
  const data = { method: resource.method as PrismRequest['method'], url: { path: resource.path } }
  // Prism changes the configuration, so each call has its own.
  const config = { dynamic: false, ...choice }
  const result = components.mock({ resource, input: { data, validations: [] }, config })(
    components.logger,
  )
  if (result._tag === 'Left') throw result.left
  return result.right
}
