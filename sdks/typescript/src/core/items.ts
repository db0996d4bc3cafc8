/**
 * The comma-separated parts of a list or an object in a path or a header: the items, or the names
 * and values. A client contains this only where its contract has such objects.
 */
export function items(value: object): unknown[] {
  if (Array.isArray(value)) return value
  return Object.entries(value).flatMap((entry) => (entry[1] == null ? [] : entry))
}
