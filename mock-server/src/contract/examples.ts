/** Examples of OpenAPI 3.0, before the document becomes a 3.1 one. */
import { object } from './document.ts'

/**
 * A copy of a part of a document in which an `example` beside `examples` is the first of them. The upgrade
 * to OpenAPI 3.1 would keep the one alone.
 */
export function joinExamples<T>(node: T): T {
  if (Array.isArray(node)) return node.map(joinExamples) as T
  if (typeof node !== 'object' || node === null) return node
  const { example, ...rest } = node as Record<string, unknown>
  const isBoth = example !== undefined && isExamples(rest.examples)
  const examples = { default: { value: example }, ...object(rest.examples) }
  const joined = isBoth ? { ...rest, examples } : node
  return Object.fromEntries(
    Object.entries(joined).map(([name, one]) => [name, joinExamples(one)]),
  ) as T
}

/** Whether these are examples, and not properties that are called so. */
function isExamples(node: unknown): boolean {
  const all = Object.values(object(node)).map(object)
  return (
    all.length > 0 &&
    all.every((one) => ['value', '$ref', 'externalValue'].some((key) => key in one))
  )
}
