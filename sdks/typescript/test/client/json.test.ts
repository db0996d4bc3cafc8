import { describe, expect, it } from 'vitest'
import { orNothing, parseExact, stringifyExact } from '../../src/core/json.js'

const LARGE = 9_223_372_036_854_775_807n

describe('integers that a number would round', () => {
  it.each([
    ['9223372036854775807', LARGE],
    ['-9223372036854775808', -LARGE - 1n],
    ['9007199254740991', 9_007_199_254_740_991],
    ['{"id": 9223372036854775807, "n": 1}', { id: LARGE, n: 1 }],
    ['[9223372036854775807,12]', [LARGE, 12]],
    ['{"9223372036854775807": "9223372036854775807"}', { '9223372036854775807': `${LARGE}` }],
    ['"a \\" 9223372036854775807, \\\\"', 'a " 9223372036854775807, \\'],
    ['[1.2500000000000000000, 1e20, 1000000000000000000000e1]', [1.25, 1e20, 1e22]],
  ])('%s is read as it is', (text, expected) => {
    expect(parseExact(text)).toEqual(expected)
  })

  it.each([{ id: LARGE, list: [1, -LARGE], text: `${LARGE}` }, LARGE, 'text', null])(
    'are written as they were read (%#)',
    (value) => {
      expect(parseExact(stringifyExact(value))).toEqual(value)
    },
  )

  it('are written as numbers', () => {
    expect(stringifyExact({ id: LARGE })).toBe('{"id":9223372036854775807}')
  })

  it.each(['{"id": 92233720368547758070 1}', '01234567890123456789', '[-00000000000000001]'])(
    'do not make %s JSON',
    (text) => {
      expect(() => parseExact(text)).toThrow(SyntaxError)
    },
  )
})

describe('a response that may have no content', () => {
  it('is undefined without it, and JSON with it', () => {
    expect(orNothing()('')).toBeUndefined()
    expect(orNothing(parseExact)('[1]')).toEqual([1])
    expect(() => orNothing()(' ')).toThrow(SyntaxError)
  })
})
