/**
 * Writes a query in the default style (`form` with `explode`): a list repeats its parameter, the
 * members of an object are parameters, and null or undefined values are left out.
 *
 * @throws Error for a value inside a list or an object that is one itself.
 */
export function writeQuery(query: object): string {
  const pairs: string[] = []
  const add = (name: string, value: unknown, isNested = false) => {
    if (value === undefined || value === null) return
    if (typeof value !== 'object') {
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
      return
    }
    if (isNested) throw new Error('a query has no way to write this')
    for (const [member, item] of Object.entries(value)) {
      add(Array.isArray(value) ? name : member, item, true)
    }
  }
  for (const [name, value] of Object.entries(query)) add(name, value)
  return pairs.join('&')
}
