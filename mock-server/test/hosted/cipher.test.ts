import { describe, expect, it } from 'vitest'
import { Cipher, CipherError } from '../../src/hosted/cipher.ts'

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const [NEW, OLD] = [keyOf(1), keyOf(2)]

describe('a cipher', () => {
  const cipher = new Cipher([NEW])

  it.each(['', 'whsec_ab', 'é📦', '\0'])('opens what it sealed: %j', (text) => {
    expect(cipher.open(cipher.seal(text))).toBe(text)
  })

  it('seals equal texts differently, and shows none of them', () => {
    const sealed = [cipher.seal('whsec_1'), cipher.seal('whsec_1')]
    expect(sealed[0]).not.toBe(sealed[1])
    expect(sealed.join()).not.toContain('whsec')
  })

  it('leaves alone what was stored before there was a key', () => {
    expect(cipher.open('whsec_1')).toBe('whsec_1')
    expect(cipher.isCurrent('whsec_1')).toBe(false)
  })

  it('opens what an older key sealed, and tells that it should be sealed again', () => {
    const sealed = new Cipher([OLD]).seal('whsec_1')
    const rotated = new Cipher([NEW, OLD])
    expect(rotated.open(sealed)).toBe('whsec_1')
    expect(rotated.isCurrent(sealed)).toBe(false)
    expect(rotated.isCurrent(rotated.seal('whsec_1'))).toBe(true)
  })

  it('refuses what another key sealed, and what was changed', () => {
    expect(() => cipher.open(new Cipher([OLD]).seal('a'))).toThrow(/encrypted with another key/)
    const sealed = cipher.seal('whsec_1')
    for (const at of [12, 20, sealed.length - 3]) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      expect(() => cipher.open(changed)).toThrow(CipherError)
    }
    expect(() => cipher.open(sealed.slice(0, 14))).toThrow(CipherError)
  })

  it('takes keys as base64 and as hexadecimal digits', () => {
    const hex = new Cipher([Buffer.alloc(32, 1).toString('hex')])
    expect(hex.open(cipher.seal('a'))).toBe('a')
  })
})
