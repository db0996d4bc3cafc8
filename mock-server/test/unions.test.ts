import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tellApart } from '../src/contract/unions.ts'

const { schemas } = (
  parseYaml(readFileSync('../openapi.yaml', 'utf8')) as {
    components: { schemas: Record<string, object> }
  }
).components
const VARIANTS = ['URLSourceParams', 'TextSourceParams', 'FileSourceParams']
const UNION = { type: 'array', items: { oneOf: VARIANTS.map((name) => schemas[name]) } }

describe('unions with a discriminator', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  const original = ajv.compile(UNION)
  const rewritten = ajv.compile(tellApart(structuredClone(UNION)))

  it('keep their verdict on any value', () => {
    const text = fc.constantFrom('', 'a', 'https://a.example', 1, null)
    const tag = fc.constantFrom('url', 'text', 'file', 'video', 1, null)
    const member = fc.record(
      {
        type: tag,
        url: text,
        title: text,
        text,
        name: text,
        media_type: text,
        content_base64: text,
      },
      { requiredKeys: [] },
    )
    const seen = new Set<boolean>()
    const same = fc.property(
      fc.array(fc.oneof(member, fc.jsonValue()), { maxLength: 1 }),
      (value) => {
        seen.add(original(value))
        return rewritten(value) === original(value)
      },
    )
    fc.assert(same, { seed: 1, numRuns: 5_000 })
    expect(seen.size).toBe(2)
  })

  it('are not changed without a discriminator', () => {
    const untagged = [
      { oneOf: [{ type: 'object' }, { type: 'null' }] },
      { oneOf: [schemas.URLSourceParams, schemas.URLSourceParams] },
      { oneOf: [schemas.URLSourceParams, { ...schemas.TextSourceParams, required: [] }] },
    ]
    for (const union of untagged) expect(tellApart(structuredClone(union))).toEqual(union)
  })
})
