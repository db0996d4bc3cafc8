import { describe, expect, test } from 'vitest'
import { vectors as all, type Vector } from '../../../conformance/webhooks/vectors.ts'
import { Webhooks } from '../../src/webhooks/index.ts'
import { bodyOf, onEveryCrypto, outcomeOf, refusalOf, run, unwrap, vectors } from './support.ts'

describe('the table of cases', () => {
  test('holds digests whose base64 has both characters in which the alphabets differ', () => {
    expect(signatureOf('encoding-base64-both-special')).toMatch(/\+.*\/|\/.*\+/)
    expect(signatureOf('encoding-base64url-both-special')).toMatch(/-.*_|_.*-/)
  })

  test('reaches every code that a delivery can have', () => {
    const codes = new Set(vectors.map(({ result }) => result))
    expect([...codes].sort()).toEqual([
      'duplicate_header',
      'event_mismatch',
      'invalid_encoding',
      'invalid_envelope',
      'invalid_json',
      'malformed_signature',
      'missing_secret',
      'missing_signature',
      'ok',
      'payload_too_large',
      'signature_mismatch',
      'stale_event',
      'unsupported_algorithm',
    ])
  })
})

onEveryCrypto(() => {
  test.each(vectors)('$id: $rule', async (each) => {
    expect(await run(each)).toEqual(expected(each))
  })

  const refused = vectors.filter(({ result }) => result !== 'ok')
  test.each(refused)('the hint reads as in every language: $id', async (each) => {
    expect((await refusalOf(() => unwrap(each))).hint).toBe(each.hint)
  })

  const signatureRules = [
    'missing_signature',
    'duplicate_header',
    'malformed_signature',
    'unsupported_algorithm',
    'signature_mismatch',
    'payload_too_large',
    'missing_secret',
  ]
  test.each(vectors)('verify looks at the signature alone: $id', async (each) => {
    const verdict = await outcomeOf(async () => {
      const webhooks = new Webhooks(each.secrets, { maxBodyBytes: each.maxBodyBytes, tolerance: 0 })
      await webhooks.verify(bodyOf(each), each.headers)
      return JSON.parse('null')
    })
    expect(verdict).toEqual(
      signatureRules.includes(each.result) ? { code: each.result } : { event: null },
    )
  })
})

function signatureOf(id: string): string | undefined {
  const headers = all.find((each) => each.id === id)?.headers
  return headers?.find(([name]) => name === 'x-service-signature')?.[1]
}

function expected(each: Vector) {
  return each.result === 'ok'
    ? { event: JSON.parse(bodyOf(each).toString()) }
    : { code: each.result }
}
