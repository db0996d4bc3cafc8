import type { Contract } from './contract/load.ts'

/** The headers and query parameters that hold secrets. */
export function secretNamesOf({ operations, description: { signature } }: Contract): string[] {
  const schemes = operations.flatMap(({ security }) => security.flat())
  const keys = schemes.flatMap((scheme) => (scheme.type === 'apiKey' ? scheme.name : []))
  return signature ? [...keys, signature.header] : keys
}
