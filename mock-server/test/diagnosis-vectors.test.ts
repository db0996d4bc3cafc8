/** The diagnosis reaches the same verdict and status as the SDKs for every vector. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { diagnose } from '../src/diagnosis/diagnose.ts'
import { EVENT } from './deliveries.ts'

interface Vector {
  id: string
  rule: string
  secrets: string[]
  body: { utf8?: string; base64?: string; spaces?: number }
  headers: [string, string][]
  result: string
  tolerance?: number
  now?: string
  maxBodyBytes?: number
}

const folder = new URL('../../sdks/conformance/webhooks/', import.meta.url)
const vectors: Vector[] = JSON.parse(readFileSync(new URL('vectors.json', folder), 'utf8'))
const { statuses } = JSON.parse(readFileSync(new URL('receivers.json', folder), 'utf8'))

it.each(vectors)('$id: $rule', async (vector) => {
  const { body, headers, secrets, result, now = EVENT.occurred_at, ...options } = vector
  const bytes = Buffer.from(body.utf8 ?? body.base64 ?? '', body.base64 ? 'base64' : 'utf8')
  const diagnosis = await diagnose({
    delivery: { body: Buffer.concat([bytes, Buffer.alloc(body.spaces ?? 0, ' ')]), headers },
    secrets: secrets.map((value) => ({ name: 'SECRET', value })),
    now: () => Date.parse(now),
    ...options,
  })
  expect(diagnosis).toMatchObject({ code: result, status: statuses[result] })
  expect(diagnosis.findings).not.toEqual([])
})
