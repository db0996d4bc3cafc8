// Queries whose style is not the default. A client contains this only if its contract has one.
import { createQuerySerializer, type QuerySerializerOptions } from 'openapi-fetch'
import { writeQuery } from './query.js'

/** Writes a query in which some parameters have another style. */
export function styled(
  styles: Readonly<Record<string, QuerySerializerOptions>>,
): (query: object) => string {
  const writers = Object.entries(styles).map(
    ([name, style]) => [name, createQuerySerializer(style)] as const,
  )
  const writerOf = new Map(writers)
  return (query) =>
    Object.entries(query)
      .map(([name, value]) => (writerOf.get(name) ?? writeQuery)({ [name]: value }))
      .filter((part) => part !== '')
      .join('&')
      // openapi-fetch leaves those of `name[member]` as they are, and strict servers refuse them.
      .replace(/[[\]]/g, encodeURIComponent)
}
