import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteSink } from '../../src/webhooks/sink.ts'

test('parts come out as one body, of any size up to the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), fc.nat(3), (parts, more) => {
      const body = Buffer.concat(parts)
      const sink = new ByteSink(body.length + more)
      for (const part of parts) sink.add(part)
      expect(Buffer.from(sink.bytes)).toEqual(body)
    }),
  )
})

test('no more than the limit is kept, however small the parts are', () => {
  const sink = new ByteSink(100_000)
  for (let i = 0; i < 100_000; i++) sink.add(Uint8Array.of(i))
  expect(sink.bytes).toHaveLength(100_000)
  expect(sink.bytes.buffer.byteLength).toBe(100_000)
  expect(() => sink.add(Uint8Array.of(1))).toThrow('(payload_too_large)')
})
