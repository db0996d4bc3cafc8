import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { samplesOf } from '../emit/core/samples.ts'
import { LANGUAGES } from '../languages.ts'
import { ROOT } from '../repository.ts'
import { filesOf, generate, modelOf, write } from './support.ts'

const OWN = join(ROOT, 'openapi.yaml')

/** The kinds of the events of a contract, by name. */
function kindsOf(contract: string): string[] {
  const { webhooks } = parseYaml(readFileSync(contract, 'utf8')) as { webhooks: object }
  return Object.keys(webhooks).sort()
}

it('there is a sample of each kind, which the contract accepts, and one of the future', async () => {
  const document = parseYaml(readFileSync(OWN, 'utf8')) as object
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'contract' })

  const samples = samplesOf(await modelOf(OWN))

  const kinds = kindsOf(OWN)
  expect(samples.map(({ kind }) => kind)).toEqual([...kinds, 'future'])
  for (const { kind, envelope } of samples.slice(0, kinds.length)) {
    const at = `contract#/webhooks/${kind}/post/requestBody/content/application~1json/schema`
    expect(ajv.validate(at, envelope), ajv.errorsText()).toBe(true)
    expect(envelope.event).toBe(kind)
  }
})

it('the sample of the future has a kind, fields and a value that the contract lacks', async () => {
  const api = await modelOf(OWN)
  const enums = api.decls.flatMap((decl) => (decl.kind === 'enum' ? decl.values : []))

  const future = samplesOf(api).at(-1)

  expect(future).toMatchObject({
    kind: 'future',
    envelope: {
      event: 'future.event',
      id: 'evt_future',
      data: { conversation: { status: 'future_value', future_field: true }, future_field: true },
    },
  })
  expect(api.webhooks.map(({ event }) => event)).not.toContain('future.event')
  expect(enums).not.toContain('future_value')
})

it('the sample of the future is of no kind that the contract has', async () => {
  const contract = BARE.replaceAll('order.paid', 'future.event')
  const [described, future] = samplesOf(await modelOf(write(contract)))
  expect(described?.envelope.event).toBe('future.event')
  expect(future).toMatchObject({ kind: 'future', envelope: { event: 'future.future.event' } })
})

const BARE = `
openapi: 3.1.0
info: { title: Shop, version: "1" }
x-webhook-signature:
  header: x-shop-signature
  event_header: x-shop-event
  algorithm: hmac-sha256
  prefix: sha256=
  signed_content: body
  encodings: { values: [hex] }
webhooks:
  order.paid:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/OrderPaid" } } } }
      responses: { "204": { description: Received. } }
components:
  schemas:
    OrderPaid:
      type: object
      required: [event, id, occurred_at, data]
      properties:
        event: { const: order.paid }
        id: { type: string }
        occurred_at: { type: string }
        data: { $ref: "#/components/schemas/Order" }
    Order:
      type: object
      required: [number, at, state, lines, parent, by]
      properties:
        number: { type: integer }
        at: { type: string, format: date-time }
        state: { enum: [open, paid] }
        lines: { type: array, items: { type: string } }
        parent: { oneOf: [{ $ref: "#/components/schemas/Order" }, { type: "null" }] }
        by: { oneOf: [{ $ref: "#/components/schemas/Person" }, { $ref: "#/components/schemas/Robot" }], discriminator: { propertyName: type, mapping: { person: "#/components/schemas/Person", robot: "#/components/schemas/Robot" } } }
        note: { type: string }
    Person: { type: object, required: [type], properties: { type: { const: person } }, example: { type: person, name: Ada } }
    Robot: { type: object, required: [type], properties: { type: { const: robot } } }
`

it('where a contract shows no example, one is made of its types', async () => {
  const [made] = samplesOf(await modelOf(write(BARE)))
  expect(made).toEqual({
    kind: 'order.paid',
    envelope: {
      event: 'order.paid',
      id: 'evt_order.paid',
      occurred_at: '2026-01-02T03:04:05Z',
      data: {
        at: '2026-01-02T03:04:05Z',
        by: { type: 'person', name: 'Ada' },
        lines: [],
        number: 1,
        parent: null,
        state: 'open',
      },
    },
  })
})

it.each([
  ['the samples of all kinds', readFileSync(OWN, 'utf8'), [...kindsOf(OWN), 'future.event']],
  ['its samples and then that of the future', BARE, ['order.paid', 'future.event']],
  ['its own kind of that name', BARE.replaceAll('order.paid', 'future'), ['future']],
])('every package has of a contract %s', async (_what, contract, kinds) => {
  const { out } = await generate(write(contract))
  const files = filesOf(out, /\/samples\b/)

  const packages = [...files.keys()].map((path) => path.split('/')[0])
  expect(packages).toEqual(LANGUAGES.map(({ name }) => name).sort())
  for (const text of files.values()) {
    const found = [...text.matchAll(/"event": ?"([^"]+)"/g)].map(([, kind]) => kind)
    expect(found).toEqual(kinds)
  }
})
