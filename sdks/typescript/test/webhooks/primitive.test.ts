import { expect, test } from 'vitest'
import { createKeyring } from '../../src/webhooks/keyring.ts'
import { onEveryCrypto } from './support.ts'

/** RFC 4231, section 4; a secret here is text, so the cases with keys of ASCII characters alone. */
const vectors = [
  {
    id: 'test case 1',
    key: '\x0b'.repeat(20),
    data: Buffer.from('Hi There'),
    hex: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    id: 'test case 2',
    key: 'Jefe',
    data: Buffer.from('what do ya want for nothing?'),
    hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    id: 'test case 4',
    key: String.fromCharCode(...Array.from({ length: 25 }, (_, i) => i + 1)),
    data: Buffer.alloc(50, 0xcd),
    hex: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  },
]

onEveryCrypto(() => {
  test.each(vectors)('computes $id of RFC 4231 in every encoding', async ({ key, data, hex }) => {
    const digest = Buffer.from(hex, 'hex')
    const keyring = createKeyring([key, 'another'])
    expect((await keyring(data, 'hex'))[0]).toBe(hex)
    expect((await keyring(data, 'base64'))[0]).toBe(digest.toString('base64'))
    const url = (await keyring(data, 'base64url'))[0]
    expect(url?.replace('=', '')).toBe(digest.toString('base64url'))
  })

  test('computes one digest per secret, in their order', async () => {
    const data = Buffer.from('what do ya want for nothing?')
    const digests = await createKeyring(['another', 'Jefe'])(data, 'hex')
    expect(digests).toEqual([expect.stringMatching(/^[\da-f]{64}$/), vectors[1]?.hex])
    expect(digests[0]).not.toBe(digests[1])
  })
})
