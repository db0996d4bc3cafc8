/**
 * What stands between commas where a path or a header holds a list or an object: the list's items,
 * or the object's names and values. A client contains it only where its contract has such objects.
 */
export function items(value: object): unknown[] {
  if (Array.isArray(value)) return value
  return Object.entries(value).flatMap((entry) => (entry[1] == null ? [] : entry))
}
