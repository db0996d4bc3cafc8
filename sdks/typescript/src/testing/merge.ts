/** Any parts of a value. Objects may lack fields, lists are whole. */
export type Overrides<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Key in keyof Value]?: Overrides<Value[Key]> | undefined }
    : Value

/** A copy of a value with some of its parts replaced. */
export function merge(value: unknown, overrides: unknown): unknown {
  if (overrides === undefined) return value
  if (!isObject(value) || !isObject(overrides)) return overrides
  const changed = Object.entries(overrides).map(([key, item]) => {
    return [key, merge(Object.hasOwn(value, key) ? value[key] : undefined, item)] as const
  })
  return Object.fromEntries([...Object.entries(value), ...changed])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
