/**
 * Keys that do not affect requests or responses, so they are neither published nor
 * guessed; all else in the contract is one or the other.
 */
export const EDITORIAL: ReadonlySet<string> = new Set([
  // Text for readers.
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'externalDocs',
  // About the document itself.
  'openapi',
  'info',
  // Read only by this project's tools.
  'operationId',
  'x-renamed-from',
  'x-sample',
  'x-sdk-method',
  'x-sdk-name',
])
