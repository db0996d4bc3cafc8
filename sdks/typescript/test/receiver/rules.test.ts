import { describe, expect, test } from 'vitest'
import { Webhooks } from '../../src/webhooks/index.ts'
import { bodyOf, vectors } from '../webhooks/support.ts'
import { cases, here, listOf, run, statuses } from './cases.ts'
import { codeOf } from './scenario.ts'
import { receivers, send, serve } from './servers.ts'

/** Verifiers without a secret cannot be made. */
const constructible = vectors.filter(({ result }) => result !== 'missing_secret')
const sendable = constructible.filter(({ headers }) =>
  headers.every(([, value]) => !value.includes('\n')),
)

describe.each(Object.entries(receivers))('a receiver with %s', (_, make) => {
  test.each(sendable)('returns the status of $id', async (vector) => {
    const { secrets, tolerance, maxBodyBytes, headers, result } = vector
    const errors: unknown[] = []
    const handled: string[] = []
    const now = () => Date.parse(vector.now ?? '2026-03-02T09:21:48Z')
    const webhooks = new Webhooks(secrets, { tolerance, maxBodyBytes, now })
    const onError = (error: unknown) => errors.push(codeOf(error))
    const port = await serve(make(webhooks, ({ id }) => handled.push(id), { onError }))

    const got = await send(port, 'POST', bodyOf(vector), listOf(headers))

    expect(got).toEqual({ status: statuses[result], allow: undefined, text: '' })
    expect(handled).toHaveLength(result === 'ok' ? 1 : 0)
    expect(errors).toEqual(result === 'ok' ? [] : [result])
  })

  test.each(cases)('$id: $rule', async (each) => {
    await run(each, await here(each, (...given) => serve(make(...given))))
  })
})

test('all vectors but one can travel: a line feed would end the header', () => {
  const staying = constructible.filter((vector) => !sendable.includes(vector))
  expect(staying.map(({ id }) => id)).toEqual(['malformed-newline-after'])
})
