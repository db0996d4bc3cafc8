/** An event that no contract has yet, as a later version of the service may send it. */
import { object } from '../contract/document.ts'
import type { Shape } from '../contract/shape.ts'

/** What triggers it, unless the contract has a kind of this name. */
export const FUTURE = 'future'
/** What is unknown about it. The samples of the SDKs are alike. */
export const FUTURE_KIND = 'future.event'
const FIELD = 'future_field'
const VALUE = 'future_value'

/** A value of a shape with an unknown field in every object, and unknown values where only some are known. */
export function futureOf(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => futureOf(item, shape?.items?.()))
  if (typeof value === 'string') return isListed(shape) ? VALUE : value
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(object(value)).map(([name, part]) => {
    return [name, futureOf(part, partOf(shape, name))]
  })
  return { ...Object.fromEntries(parts), [FIELD]: true }
}

/** Whether a shape lists its values, more than one of them: a constant tells variants apart. */
function isListed(shape: Shape | undefined): boolean {
  const { enum: values = [] } = shape?.schema ?? {}
  return (values as unknown[]).length > 1 || shape?.variants.some(isListed) === true
}

function partOf(shape: Shape | undefined, name: string): Shape | undefined {
  const own = shape?.properties.get(name)?.shape()
  return own ?? shape?.variants.map((variant) => partOf(variant, name)).find((one) => one)
}
