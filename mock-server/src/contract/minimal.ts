/** Invents values that a contract requires and nobody knows. */
import { isOfType, type Shape } from './shape.ts'

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT0S',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  'uri-reference': 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** How deep invented values nest. */
const MAX_DEPTH = 20

/**
 * A value for a shape: the first example that is one, else the schema's own example, default, constant or
 * first value, else the least that is valid.
 */
export function invent(shape: Shape, examples: readonly unknown[], depth = 0): unknown {
  const { schema, variants } = shape
  const { default: usual, enum: values, const: constant, example, examples: own } = schema
  const candidates = [
    ...examples,
    example,
    ...[own ?? []].flat(),
    usual,
    constant,
    ...[values ?? []].flat(),
  ]
  const found = candidates.find((one) => one !== undefined && isOfType(shape, one))
  if (found !== undefined) return structuredClone(found)
  const [variant] = variants
  if (variant) return invent(variant, [], depth)
  return leastOf(shape, depth)
}

function leastOf(shape: Shape, depth: number): unknown {
  const { schema, types, properties, required } = shape
  const type = types[0] ?? (properties.size > 0 ? 'object' : 'null')
  switch (depth > MAX_DEPTH ? 'null' : type) {
    case 'object':
      return Object.fromEntries(
        [...required].map((name) => {
          const property = properties.get(name)
          return [name, property ? invent(property.shape(), [], depth + 1) : null]
        }),
      )
    case 'array': {
      const { items } = shape
      const count = Number(schema.minItems ?? 0)
      return Array.from({ length: count }, () => (items ? invent(items(), [], depth + 1) : null))
    }
    case 'string': {
      const text = TEXTS[String(schema.format)] ?? ''
      return text.padEnd(Number(schema.minLength ?? 0), 'x')
    }
    case 'integer':
    case 'number':
      return leastNumber(shape)
    case 'boolean':
      return false
    default:
      return null
  }
}

function leastNumber({ schema }: Shape): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const step = Number(multipleOf ?? 1)
  const low = Math.max(
    Number(minimum ?? Number.NEGATIVE_INFINITY),
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : Number(exclusiveMinimum) + step,
  )
  const high = Math.min(
    Number(maximum ?? Number.POSITIVE_INFINITY),
    exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : Number(exclusiveMaximum) - step,
  )
  const wanted = Math.min(Math.max(0, low), high)
  return Math.ceil(wanted / step) * step
}
