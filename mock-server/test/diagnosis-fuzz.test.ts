/** No input makes the diagnosis fail, or reveal a secret. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WEBHOOKS_REFUSALS } from '../src/diagnosis/facts.ts'
import type { Header } from '../src/diagnosis/types.ts'
import { BODY, diagnosed, hmac, names, OTHER_SECRET, SECRET, signature } from './deliveries.ts'

const SEED = 20_261_121

// `npm run soak` uses many more inputs, and others in each run. A failure prints its seed.
const SOAK = process.env.MODE === 'soak'
const runs = (count: number) => (SOAK ? { numRuns: count * 50 } : { numRuns: count, seed: SEED })
const timeout = SOAK ? 1_800_000 : 120_000

const text = fc.string({ unit: 'binary', maxLength: 40 })
const anyBody = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => Buffer.from(json)),
  fc
    .constantFrom(
      '',
      'null',
      '""',
      '{}',
      '{"body":1}',
      '{"type":"Buffer","data":{"length":1e9}}',
      '{"__proto__":[],"a":{"b":1}}',
      '%',
      '%zz=',
      '[object Object]',
      'POST / HTTP/1.1\n\n',
      '['.repeat(50_000),
      '['.repeat(20_000) + ']'.repeat(20_000),
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
      '"\\ud800"',
      '\ufeff\ufeff{}',
      '1e999',
      ' \r\n\r\n',
    )
    .map((body) => Buffer.from(body)),
)
const anyValue = fc.oneof(
  fc.constantFrom(
    '',
    ',',
    'sha256=',
    signature(),
    `${signature()},${signature('')}`,
    hmac(BODY).toString('hex'),
    `sha256=${hmac(BODY).toString('base64')}`,
    'sha256=é'.padEnd(71, 'é'),
    'a'.repeat(5000),
  ),
  text,
)
const anyHeader = fc.tuple(
  fc.oneof(fc.constantFrom('x-service-signature', 'X-Service-Event', '__proto__', ''), text),
  anyValue,
)
const anySecret = fc.oneof(
  fc.constantFrom('', ' ', SECRET, `"${SECRET}"`, 'whsec_', '"', '""', '\\n', 'A='),
  text,
)

describe('any input', () => {
  it('gets a diagnosis without the secret, the digest or the body', {
    timeout,
  }, async () => {
    const property = fc.asyncProperty(
      anyBody,
      fc.array(anyHeader, { maxLength: 4 }),
      fc.array(anySecret, { maxLength: 3 }),
      fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined }),
      async (body, headers: Header[], secrets, tolerance) => {
        const { code, status, findings } = await diagnosed({ body, headers, secrets, tolerance })
        expect(status).toBe({ ...WEBHOOKS_REFUSALS, ok: 204 }[code])
        expect(findings.length).toBeGreaterThan(0)
        const said = findings.map((finding) => finding.text).join('\n')
        expect(said).not.toMatch(/[\w+/]{40}/)
        for (const secret of secrets) if (secret.length > 12) expect(said).not.toContain(secret)
        if (body.length > 40) expect(said).not.toContain(body.toString())
      },
    )
    await fc.assert(property, runs(600))
  })
})

describe('any event', () => {
  const event = fc.record({
    event: fc.string({ minLength: 1 }),
    id: fc.string({ minLength: 1 }),
    occurred_at: fc.constant('2026-03-02T09:21:48Z'),
    data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
  })
  const secret = fc
    .string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
    .filter((s) => !!s.trim())
  const encoding = fc.constantFrom('hex', 'base64', 'base64url')

  it('with its signature is ok', { timeout }, async () => {
    const property = fc.asyncProperty(event, secret, encoding, async (event, secret, encoding) => {
      const body = JSON.stringify(event)
      const value = `sha256=${hmac(body, secret).toString(encoding as BufferEncoding)}`
      const headers: Header[] = [['x-service-signature', value]]
      expect(await diagnosed({ body, headers, secrets: [secret] })).toMatchObject({ code: 'ok' })
    })
    await fc.assert(property, runs(300))
  })

  const damages: Record<string, (body: string) => string | Buffer> = {
    line_break_added: (body) => `${body}\n`,
    byte_order_mark_added: (body) => `\ufeff${body}`,
    utf_16: (body) => Buffer.from(body, 'utf16le'),
    base64: (body) => Buffer.from(body).toString('base64'),
    json_twice: (body) => JSON.stringify(body),
    form_encoded: (body) => encodeURIComponent(body),
    function_event: (body) => JSON.stringify({ body }),
    bytes_as_json: (body) => JSON.stringify(Buffer.from(body)),
    json_rewritten: (body) => JSON.stringify(JSON.parse(body), null, 2),
  }
  const quotes: Record<string, (secret: string) => string> = {
    secret_padded: (secret) => `${secret} \n`,
    secret_quoted: (secret) => `"${secret}"`,
    secret_with_its_name: (secret) => `WEBHOOK_SECRET=${secret}`,
  }

  it('with a damaged body and a damaged secret has both found', { timeout }, async () => {
    const property = fc.asyncProperty(
      event,
      fc.constantFrom(...Object.keys(damages)),
      fc.constantFrom(...Object.keys(quotes)),
      async (event, damage, quote) => {
        const body = JSON.stringify(event)
        const diagnosis = await diagnosed({
          body: damages[damage]?.(body),
          headers: [['x-service-signature', signature(body)]],
          secrets: [OTHER_SECRET, quotes[quote]?.(SECRET) ?? ''],
        })
        expect(diagnosis.code).toBe('signature_mismatch')
        expect(names(diagnosis)).toEqual([damage, quote])
      },
    )
    await fc.assert(property, runs(300))
  })
})
