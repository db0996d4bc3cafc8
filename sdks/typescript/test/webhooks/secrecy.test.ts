import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { envelope, SECRET } from '../../../conformance/webhooks/delivery.ts'
import { SupportChatError } from '../../src/generated/names.ts'
import {
  WebhookReceiver,
  WebhookRouter,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { PostgresDedupeStore } from '../../src/webhooks/postgres.ts'
import { RedisDedupeStore } from '../../src/webhooks/redis.ts'
import { SqliteDedupeStore } from '../../src/webhooks/sqlite.ts'
import { bodyOf, encodings, onEveryCrypto, refusalOf, signed, vectors } from './support.ts'

const body = JSON.stringify(envelope)
const headers = { 'x-service-signature': signed(Buffer.from(body), SECRET) }

/** Everything of an error that can reach a log. */
const textsOf = (error: Error) =>
  [error.message, error.stack, inspect(error), JSON.stringify(error), String(error)].join('\n')

onEveryCrypto(() => {
  const refused = vectors.filter(({ result }) => result !== 'ok' && result !== 'missing_secret')

  test.each(refused)('$id shows neither a digest nor a secret nor the body', async (each) => {
    const { secrets, tolerance, maxBodyBytes } = each
    const bytes = bodyOf(each)
    const webhooks = new Webhooks(secrets, { tolerance, maxBodyBytes, now: () => 0 })
    const texts = textsOf(await refusalOf(() => webhooks.unwrap(bytes, each.headers)))
    for (const secret of secrets) {
      expect(texts).not.toContain(secret)
      for (const encoding of encodings) {
        expect(texts).not.toContain(signed(bytes, secret, encoding).slice(7, -1))
      }
    }
    expect(texts).not.toContain('conv_01J2Z8M3VN')
    const value = each.headers.find(([name]) => name === 'x-service-signature')?.[1] ?? ''
    if (value.length > 30) expect(texts).not.toContain(value.slice(-20))
  })

  test('a verifier shows no secret when it is inspected or written as JSON', async () => {
    const webhooks = new Webhooks(SECRET)
    await webhooks.verify(body, headers)
    const texts = inspect(webhooks, { depth: 9, showHidden: true }) + JSON.stringify(webhooks)
    expect(texts).not.toContain(SECRET)
  })
})

test('a receiver and the stores show neither the secret nor the client of a database', () => {
  const password = 'hunter2'
  const client = {
    options: { password },
    eval: async () => '',
    query: async () => ({ rows: [] }),
    exec() {},
    prepare: () => ({ run() {}, get() {} }),
  }
  const store = new RedisDedupeStore(client)
  const shown = [
    store,
    new PostgresDedupeStore(client),
    new SqliteDedupeStore(client),
    new WebhookReceiver(new Webhooks(SECRET), () => {}, { store }),
    new WebhookRouter(),
  ].map((each) => inspect(each, { depth: 9, showHidden: true }) + JSON.stringify(each))
  expect(shown.join()).not.toContain(password)
  expect(shown.join()).not.toContain(SECRET)
  const wrong = { options: { password } } as never
  for (const Store of [RedisDedupeStore, PostgresDedupeStore, SqliteDedupeStore]) {
    expect(() => new Store(wrong)).toThrow(/^(?!.*hunter2)Pass a client of /)
  }
})

describe('an error', () => {
  test('is one of this package, with its code and its hint', async () => {
    const error = await refusalOf(() => new Webhooks('another').verify(body, headers))
    expect(error).toBeInstanceOf(WebhookVerificationError)
    expect(error).toBeInstanceOf(SupportChatError)
    expect(error.name).toBe('WebhookVerificationError')
    expect(error.code).toBe('signature_mismatch')
    expect(error.status).toBe(401)
    expect(error.message).toBe(`${error.hint} (signature_mismatch)`)
    expect(String(error)).toMatch(/^WebhookVerificationError: /)
  })
})

describe('the hint', () => {
  const hintOf = async (secret: string, of: unknown, form: object = headers) =>
    (await refusalOf(() => new Webhooks(secret).unwrap(of as string, form as typeof headers))).hint

  test('of a parsed body names the cure in each framework', async () => {
    const hint = await hintOf(SECRET, JSON.parse(body))
    expect(hint).toContain("express.raw({ type: 'application/json', limit: '1mb' })")
    for (const cure of ['bodyParser: false', "rawBody: true, limit: '1mb'", 'webhooks/fastify']) {
      expect(hint).toContain(cure)
    }
  })

  test('of a secret with a newline says so', async () => {
    expect(await hintOf(`${SECRET}\n`, body)).toMatch(/white space/)
  })

  test('of a body in base64 names AWS Lambda', async () => {
    expect(await hintOf(SECRET, Buffer.from(body).toString('base64'))).toMatch(/isBase64Encoded/)
  })

  test('of a body with a byte order mark says so, signed or not', async () => {
    const marked = `\ufeff${body}`
    expect(await hintOf(SECRET, marked)).toMatch(/byte order mark/)
    const own = { 'x-service-signature': signed(Buffer.from(marked), SECRET) }
    expect(await hintOf(SECRET, marked, own)).toMatch(/byte order mark/)
  })

  test('of any other mismatch names the secret and the raw body', async () => {
    expect(await hintOf('another', body)).toMatch(/secret.*raw/)
  })

  test('of a missing header names it', async () => {
    expect(await hintOf(SECRET, body, {})).toContain('x-service-signature')
  })
})

test('a refused delivery has no outcome, because there is no request', async () => {
  const error = await refusalOf(() => new Webhooks(SECRET).unwrap(body, {}))
  expect(error).not.toHaveProperty('outcome')
})
