import { createQuerySerializer, type QuerySerializerOptions } from 'openapi-fetch'

/** How the query is written where the contract says nothing else. */
export const FORM: QuerySerializerOptions = { object: { style: 'form', explode: true } }

/** Writes a query some of whose parameters have a style of their own. */
export function styled(
  styles: Readonly<Record<string, QuerySerializerOptions>>,
): (query: object) => string {
  return (query) =>
    Object.entries(query)
      .map(([name, value]) => createQuerySerializer(styles[name] ?? FORM)({ [name]: value }))
      .filter((part) => part !== '')
      .join('&')
      // Those of `name[member]`, which openapi-fetch leaves as they are and strict servers refuse.
      .replace(/[[\]]/g, encodeURIComponent)
}
