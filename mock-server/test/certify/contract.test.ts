/** Events, headers and signatures come from the contract, whichever it is. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { certifier, findingOf, idsOf } from './certified.ts'
import { running, SECRET } from './receivers.ts'

const folder = mkdtempSync(join(tmpdir(), 'certify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const event = (kind: string) => ({
  post: {
    requestBody: {
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['event', 'id', 'parcel'],
            properties: {
              event: { const: kind },
              id: { type: 'integer' },
              parcel: { type: 'string', enum: ['small', 'large'] },
            },
          },
        },
      },
    },
    responses: { 204: { description: 'Accepted.' } },
  },
})
const file = join(folder, 'contract.json')
writeFileSync(
  file,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '7' },
    'x-webhook-signature': {
      header: 'X-Parcel-Signature',
      event_header: 'X-Parcel-Event',
      prefix: 'v1=',
      encodings: { values: ['base64'] },
    },
    paths: {},
    webhooks: { 'parcel.sent': event('parcel.sent'), 'parcel.lost': event('parcel.lost') },
  }),
)

const certify = certifier(file)

it('a receiver of another contract is certified', async () => {
  const kinds = new Set<string>()
  const receiver = await running(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const digest = createHmac('sha256', SECRET).update(Buffer.concat(chunks)).digest('base64')
    const isRight = request.headers['x-parcel-signature'] === `v1=${digest}`
    if (isRight) kinds.add(String(request.headers['x-parcel-event']))
    response.writeHead(isRight ? 204 : 401).end()
  })
  onTestFinished(receiver.close)
  const report = await certify({ url: receiver.url })
  expect(report.contract).toEqual({ title: 'Parcels', version: '7' })
  expect(idsOf(report, 'fail')).toEqual(['limits-bodies'])
  expect(findingOf(report, 'accepts-each-encoding')?.verdict).toBe('not_observable')
  expect([...kinds]).toEqual(['parcel.sent', 'parcel.lost', 'future.event'])
})
