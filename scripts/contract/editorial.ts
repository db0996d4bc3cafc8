/**
 * Keys that say nothing about what travels on the wire, so they are neither published nor
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
  // What only this project's tools read.
  'operationId',
  'x-sdk-method',
  'x-sdk-name',
])
