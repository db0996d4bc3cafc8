// What a mock of the API returns is made of the contract alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { fixturesOf } from '../emit/core/fixtures.ts'
import { failuresOf, mocksOf } from '../emit/core/mocks.ts'
import { ROOT } from '../repository.ts'
import { grown } from './grown.ts'
import { generate, modelOf, write } from './support.ts'

const OWN = join(ROOT, 'openapi.yaml')

describe.each([
  ['the contract', (text: string) => text],
  ['a contract that has grown', grown],
])('%s', (_, change) => {
  const document = change(readFileSync(OWN, 'utf8'))
  const model = () => modelOf(write(document))
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...(parseYaml(document) as object), $id: 'contract' })

  it('has a valid fixture of each object of its responses', async () => {
    const fixtures = fixturesOf(await model())
    expect(fixtures.length).toBeGreaterThan(0)
    for (const { model, value } of fixtures) {
      const at = `contract#/components/schemas/${model.id}`
      expect(ajv.validate(at, value), `${model.id}: ${ajv.errorsText()}`).toBe(true)
    }
  })

  it('has a mock of each operation, which returns an example of the contract', async () => {
    const { operations, ...api } = await model()
    const mocks = mocksOf({ operations, ...api })
    expect(mocks.map(({ operation }) => operation.id).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    )
    for (const { operation, status, examples } of mocks) {
      const response = operation.responses.find((one) => one.status === `${status}`)
      const shown = response?.body?.examples.map(({ value }) => value) ?? []
      expect(shown).toContainEqual(examples[0])
    }
  })

  it('has each error status that an operation declares', async () => {
    const api = await model()
    const declared = api.operations.flatMap(({ responses }) =>
      responses.map(({ status }) => status),
    )
    const statuses = [...new Set(declared)].map(Number).filter((status) => status >= 400)
    expect(failuresOf(api).map(({ status }) => status)).toEqual(statuses.sort((a, b) => a - b))
  })
})

const SHOP = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
security: []
servers: [{ url: https://shop.test }]
paths:
  /things:
    get:
      x-sdk-method: things.list
      responses:
        "200":
          description: Some things.
          content:
            application/json:
              schema:
                type: object
                required: [items]
                properties:
                  items: { type: array, items: { $ref: "#/components/schemas/Thing" } }
              example: { items: [{ id: 41, name: chair }] }
    post:
      x-sdk-method: things.create
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: "#/components/schemas/NewThing" } }
      responses:
        "201":
          description: The thing.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Thing" }
              example: { id: 7, name: table }
        "418": { description: No. }
  /things/{thing_id}:
    parameters: [{ name: thing_id, in: path, required: true, schema: { type: integer } }]
    get:
      x-sdk-method: things.get
      responses:
        "200":
          description: The thing and its parts.
          content:
            application/json: { schema: { $ref: "#/components/schemas/WholeThing" } }
    delete:
      x-sdk-method: things.delete
      responses: { "204": { description: Deleted. } }
  /things/newest:
    get:
      x-sdk-method: things.newest
      responses:
        "200":
          description: The thing.
          content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }
  /things/{thing_id}/parts:
    parameters: [{ name: thing_id, in: path, required: true, schema: { type: integer } }]
    get:
      x-sdk-method: things.parts.list
      responses:
        "200":
          description: The parts.
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Part" } }
    post:
      x-sdk-method: things.parts.create
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, properties: { label: { type: string } } }
      responses:
        "201":
          description: The part.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Part" }
              example: { id: 6f1c2a4e-9a2b-4b86-9d6e-0d6b8a3f0c11, thing_id: 1, label: leg }
components:
  schemas:
    NewThing:
      type: object
      required: [name, secret]
      properties: { name: { type: string }, secret: { type: string, writeOnly: true } }
    Thing:
      type: object
      required: [id, name]
      properties: { id: { type: integer }, name: { type: string } }
    WholeThing:
      type: object
      required: [id, name, parts]
      properties:
        id: { type: integer }
        name: { type: string }
        parts: { type: array, items: { $ref: "#/components/schemas/Part" } }
    Part:
      type: object
      required: [id, thing_id, label]
      properties:
        id: { type: string, format: uuid }
        thing_id: { type: integer }
        label: { type: string }
`

/** The mock of a package for the shop. */
async function openShop() {
  const { out, exit, messages } = await generate(write(SHOP))
  expect(exit, messages.join('\n')).toBe(0)
  const src = join(out, 'typescript/src')
  const { Memory } = await import(join(src, 'msw/memory.ts'))
  const { mocks } = await import(join(src, 'generated/mocks.ts'))
  const ids: string[] = mocks.map(({ id }: { id: string }) => id)
  const memory = new Memory()
  const call = (id: string, path: string, more = {}): unknown =>
    memory.respond(mocks[ids.indexOf(id)], { path, params: {}, body: undefined, ...more })
  return { ids, call }
}

describe('a mock of another contract', () => {
  it('tries texts before parameters', async () => {
    const { ids } = await openShop()
    expect(ids.indexOf('GET /things/newest')).toBeLessThan(ids.indexOf('GET /things/{thing_id}'))
  })

  it('lists what was created, the newest first, and then the example', async () => {
    const { call } = await openShop()
    expect(call('GET /things', '/things')).toEqual({ items: [{ id: 41, name: 'chair' }] })
    const body = { name: 'lamp', secret: 'x', unknown: 1 }
    expect(call('POST /things', '/things', { body })).toEqual({ id: 7, name: 'lamp' })
    const nameless = call('POST /things', '/things', { body: 'not an object' })
    expect(nameless).toEqual({ id: 8, name: 'table' })
    expect(call('GET /things', '/things')).toEqual({
      items: [
        { id: 8, name: 'table' },
        { id: 7, name: 'lamp' },
        { id: 41, name: 'chair' },
      ],
    })
  })

  it('reads what was created, with what was created below it', async () => {
    const { call } = await openShop()
    call('POST /things', '/things', { body: { name: 'lamp' } })
    const params = { thing_id: '7' }
    const parts = ['leg', 'top'].map((label) =>
      call('POST /things/{thing_id}/parts', '/things/7/parts', { params, body: { label } }),
    )
    expect(parts).toEqual([
      { id: '6f1c2a4e-9a2b-4b86-9d6e-0d6b8a3f0c11', thing_id: 7, label: 'leg' },
      { id: '6f1c2a4e-9a2b-4b86-9d6e-000000000002', thing_id: 7, label: 'top' },
    ])
    expect(call('GET /things/{thing_id}', '/things/7', { params })).toEqual({
      id: 7,
      name: 'lamp',
      parts,
    })
    expect(call('GET /things/{thing_id}/parts', '/things/7/parts', { params })).toEqual(
      parts.reverse(),
    )
    const other = call('GET /things/{thing_id}', '/things/9', { params: { thing_id: '9' } })
    expect(other).toMatchObject({ id: 9, parts: [] })
  })

  it('returns nothing where the contract says so', async () => {
    const { call } = await openShop()
    expect(call('DELETE /things/{thing_id}', '/things/7')).toBeUndefined()
  })
})

it('names an error by its status where it has no name', async () => {
  expect(failuresOf(await modelOf(write(SHOP)))).toMatchObject([
    { status: 418, name: ['status', '418'], contentType: null, example: null },
  ])
})

it('ends pages of which the contract shows only one that another follows', async () => {
  const document = readFileSync(OWN, 'utf8').replace(/next_cursor: null/g, 'next_cursor: more')
  const mocks = mocksOf(await modelOf(write(document)))
  const page = mocks.find(({ operation }) => operation.page)?.examples[0]
  expect(page).toMatchObject({ next_cursor: null })
})
