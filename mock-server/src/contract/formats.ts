/** The formats of JSON Schema, for texts of any length. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import addAll, { type FormatName } from 'ajv-formats'

/** No text of these formats is longer. The time of their expressions may grow with its square. */
const LIMIT = 8192
const SHORT: Partial<Record<FormatName, number>> = { email: 320, url: 2048, regex: 1024 }

/** Base64, without an expression whose steps it keeps. */
const isBytes = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** Adds the formats. A text that is longer than any of its format is refused before it is looked at. */
export function addFormats(ajv: Ajv2020): void {
  addAll.default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) {
    const isValid = testOf(format)
    if (!isValid) continue
    const limit = SHORT[name as FormatName] ?? LIMIT
    ajv.addFormat(name, (text: string) => text.length <= limit && isValid(text))
  }
  ajv.addFormat('byte', isBytes)
}

/** How a format checks texts; undefined if it accepts all of them, or is of numbers. */
function testOf(format: Ajv2020['formats'][string]): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return format as (text: string) => boolean
  if (typeof format !== 'object' || format.type === 'number') return undefined
  const { validate } = format
  if (validate instanceof RegExp) return (text) => validate.test(text)
  return typeof validate === 'function' ? (validate as (text: string) => boolean) : undefined
}
