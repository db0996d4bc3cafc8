// No OpenAPI keyword is lost silently.
import { getTypes } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { FATES } from '../contract/keywords.ts'

const KINDS = Object.keys(FATES) as Array<keyof typeof FATES>

/** The keywords of an object, from an independent reader of OpenAPI. */
function keywordsOf(kind: string): string[] {
  const all = (['oas3_0', 'oas3_1'] as const).flatMap((version) => {
    const type = getTypes(version)[kind] as { properties: object }
    return Object.keys(type.properties)
  })
  return [...new Set(all)].filter((keyword) => !keyword.startsWith('x-'))
}

describe('every keyword has a fate', () => {
  it.each(KINDS)('of %s', (kind) => {
    const keywords = keywordsOf(kind)
    expect(keywords.length).toBeGreaterThan(1)
    expect(keywords.filter((keyword) => !FATES[kind].has(keyword))).toEqual([])
  })
})
