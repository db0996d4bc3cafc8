/** The formats and the lengths of JSON Schema, for texts of any length. */
import { _, str } from 'ajv'
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

/**
 * Replaces `maxLength` and `minLength`. A text that is too long or long enough by far is judged without
 * counting its characters, of which one takes at most two units.
 */
export function addLengths(ajv: Ajv2020): void {
  const lengths = {
    maxLength: {
      words: 'NOT have more',
      isValid: (text: string, limit: number) =>
        text.length <= limit || (text.length <= 2 * limit && lengthOf(text) <= limit),
    },
    minLength: {
      words: 'NOT have fewer',
      isValid: (text: string, limit: number) =>
        text.length >= 2 * limit || (text.length >= limit && lengthOf(text) >= limit),
    },
  }
  for (const [keyword, { words, isValid }] of Object.entries(lengths)) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      compile: (limit: number) => (text: string) => isValid(text, limit),
      error: {
        message: ({ schemaCode }) => str`must ${words} than ${schemaCode} characters`,
        params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
      },
    })
  }
}

function lengthOf(text: string): number {
  let length = 0
  for (const _char of text) length++
  return length
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
