// Cases need integers beyond 2⁵³. They are `bigint` here, and plain digits in JSON.

/** A value of a case or of a driver. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | { readonly [key: string]: Value }

export type Fields = { readonly [key: string]: Value }

export function readJson(text: string): Value {
  return JSON.parse(text, (_key, value, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
    const digits = context?.source ?? ''
    return /^-?\d+$/.test(digits) ? BigInt(digits) : value
  }) as Value
}

export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, item) =>
    typeof item === 'bigint' ? rawJSON(item) : item,
  )
  // Some line readers split there.
  return text.replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
}

/** Node has JSON.rawJSON; TypeScript 5.9 does not declare it. */
function rawJSON(digits: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(digits))
}
