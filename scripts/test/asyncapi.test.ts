import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { DiagnosticSeverity, Parser } from '../../toolchains/asyncapi.ts'
import { emitAsyncAPI } from '../emit/asyncapi/index.ts'
import { ROOT } from '../repository.ts'
import { CASES, generate, modelOf, SOURCES, write } from './support.ts'

const OWN = join(ROOT, 'openapi.yaml')

// Words that a YAML or JSON pointer could trip over, and every kind of type that an event may hold.
const EVERYTHING = `
openapi: 3.1.0
info: { title: "yes: # *no*", version: "1.0", description: "Two\\n\\nparagraphs \\u0007." }
webhooks:
  "a/b~c d%é":
    post:
      deprecated: true
      x-assumed: "This is not published."
      requestBody:
        content:
          application/vnd.shop+json:
            schema: { $ref: "#/components/schemas/Order" }
            examples:
              whole:
                value:
                  animal: { kind: cat, lives: 9, friend: { kind: dog, tricks: { sit: true } } }
                  either: [1, text, { deep: null }]
                  at: "2026-03-02T09:14:07Z"
                  big: 9007199254740993
                  "no": yes
                  größe: { value: 1.5 }
components:
  schemas:
    Order:
      type: object
      required: [animal, secret]
      properties:
        animal: { $ref: "#/components/schemas/Animal", description: "Said *here*." }
        secret: { type: string, writeOnly: true }
        either: { type: array, items: { oneOf: [{ type: integer }, { type: string }, { type: object, properties: { deep: { type: "null" } } }] } }
        at: { type: string, format: date-time }
        day: { type: [string, "null"], format: date, default: null }
        big: { type: integer, format: int64 }
        "no": { enum: [yes, no] }
        anything: {}
        größe: { type: object, properties: { value: { type: number } } }
        unlikely: { type: boolean, default: false, deprecated: true }
    Animal:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      discriminator: { propertyName: kind, mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" } }
    Pet: { type: object, required: [kind], properties: { kind: { type: string }, friend: { $ref: "#/components/schemas/Animal" } } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: object, properties: { lives: { type: integer, default: 7 } } }], example: { kind: cat, lives: 1 } }
    Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: object, properties: { tricks: { type: object, additionalProperties: { type: boolean } } } }] }
    Unsaid: { type: object, properties: { never: { type: string } } }
`

const CONTRACTS: Array<[name: string, file: () => string]> = [
  ['our contract', () => OWN],
  ...casesWithWebhooks().map((name): [string, () => string] => [
    `the case ${name}`,
    () => join(CASES, name, 'openapi.yaml'),
  ]),
  ['every kind of type', () => write(EVERYTHING)],
]

describe.each(CONTRACTS)('the AsyncAPI document of %s', (_, file) => {
  it('is valid, including its own examples', async () => {
    const { document, diagnostics } = await new Parser().parse(await textOf(file()))
    const faults = diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning)
    expect(faults).toEqual([])
    expect(document?.version()).toBe('3.0.0')
  })

  it('shows examples and defaults that its schemas accept', async () => {
    const document = await documentOf(file())
    const validate = validator(document)
    for (const { value, schema, name } of examplesOf(document)) {
      expect(validate(schema, value), name).toEqual([])
    }
  })

  it('has a message for each event, and every example of it', async () => {
    const { webhooks } = await modelOf(file())
    const { messages } = (await documentOf(file())).channels.webhooks
    expect(Object.keys(messages)).toEqual(webhooks.map(({ event }) => event))
    for (const { event, examples } of webhooks) {
      const payloads = messages[event]?.examples?.map(({ payload }) => payload)
      expect(payloads ?? []).toEqual(examples.map(({ value }) => value))
    }
  })
})

describe('the AsyncAPI document', () => {
  it('requires both headers of every signed event, each with its own kind', async () => {
    const { document } = await new Parser().parse(await textOf(OWN))
    const messages = document?.messages().all() ?? []
    const { webhooks } = await modelOf(OWN)
    expect(messages).toHaveLength(webhooks.length)
    for (const message of messages) {
      expect(message.headers()?.json()).toMatchObject({
        required: ['x-service-signature', 'x-service-event'],
        properties: {
          'x-service-signature': { pattern: '^sha256=.+$' },
          'x-service-event': { const: message.name() },
        },
      })
    }
  })

  it('describes the signature and its assumptions', async () => {
    const { operations, components } = await documentOf(OWN)
    expect(operations.deliver.security).toEqual([
      { $ref: '#/components/securitySchemes/signature' },
    ])
    const { name, description } = components.securitySchemes?.signature ?? {}
    expect(name).toBe('x-service-signature')
    expect(description).toMatch(/HMAC-SHA256 over the raw body .* hex, base64 or base64url/)
    expect(description).toMatch(/\n\nAssumption: The encoding of the digest is not shown\./)
  })

  it('speaks of no signature where the contract does not', async () => {
    const { operations, components } = await documentOf(write(EVERYTHING))
    expect(operations.deliver).not.toHaveProperty('security')
    expect(Object.keys(components)).toEqual(['schemas'])
  })

  it('leaves out schemas for requests and those that no event holds', async () => {
    const { schemas } = (await documentOf(write(EVERYTHING))).components
    expect(Object.keys(schemas)).not.toContain('Unsaid')
    expect(schemas.Order).toMatchObject({ required: ['animal'] })
    expect(schemas.Order?.properties).not.toHaveProperty('secret')
  })

  it('writes marks and defaults at their location', async () => {
    const { channels, components } = await documentOf(write(EVERYTHING))
    expect(channels.webhooks.messages['a/b~c d%é']).toMatchObject({
      deprecated: true,
      description: 'Assumption: This is not published.',
      contentType: 'application/vnd.shop+json',
    })
    expect(components.schemas.Order?.properties).toMatchObject({
      unlikely: { default: false, deprecated: true },
      day: { default: null },
      animal: { allOf: [{ $ref: '#/components/schemas/Animal' }], description: 'Said *here*.' },
    })
  })

  it('starts with the header of generated files', async () => {
    expect(await textOf(OWN)).toMatch(
      /^# Code generated by .* from openapi\.yaml\. DO NOT EDIT\.\n/,
    )
  })

  it('stands beside the packages, but not where there are no webhooks', async () => {
    const withWebhooks = await generate(join(CASES, 'webhooks/openapi.yaml'))
    expect(readdirSync(withWebhooks.out)).toContain('asyncapi.yaml')

    const without = await generate(join(CASES, 'unions/openapi.yaml'))
    expect(readdirSync(without.out)).toContain('typescript')
    expect(readdirSync(without.out)).not.toContain('asyncapi.yaml')
  })
})

interface Schema {
  properties?: Record<string, { default?: unknown }>
  examples?: unknown[]
}

interface Message {
  payload: object
  examples?: Array<{ name: string; payload: unknown }>
}

interface Document {
  channels: { webhooks: { messages: Record<string, Message> } }
  operations: { deliver: { security?: unknown } }
  components: {
    schemas: Record<string, Schema>
    securitySchemes?: { signature: { name: string; description: string } }
  }
}

function casesWithWebhooks(): string[] {
  return readdirSync(CASES).filter((name) => {
    const file = join(CASES, name, 'openapi.yaml')
    return existsSync(file) && /^webhooks:/m.test(readFileSync(file, 'utf8'))
  })
}

async function textOf(file: string): Promise<string> {
  const [made] = emitAsyncAPI(await modelOf(file), SOURCES)
  expect(made?.path).toBe('asyncapi.yaml')
  return made?.content ?? ''
}

async function documentOf(file: string): Promise<Document> {
  return parseYaml(await textOf(file)) as Document
}

/** Everything that the document shows as a value, with the schema that it is a value of. */
function examplesOf(document: Document): Array<{ name: string; value: unknown; schema: object }> {
  const payloads = Object.entries(document.channels.webhooks.messages).flatMap(
    ([event, { payload, examples = [] }]) =>
      examples.map(({ name, payload: value }) => ({
        name: `${event}, ${name}`,
        value,
        schema: payload,
      })),
  )
  const values = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    ...(schema.examples ?? []).map((value) => ({ name, value, schema })),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      'default' in property
        ? [{ name: `${name}.${key}`, value: property.default, schema: property }]
        : [],
    ),
  ])
  return [...payloads, ...values]
}

/** Draft 2020-12, which reads these schemas as draft 7 does. */
function validator(document: Document): (schema: object, value: unknown) => unknown[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false })
  addFormats.default(ajv)
  ajv.addVocabulary(['discriminator', 'components'])
  ajv.addFormat('int64', true)
  const { components } = document
  return (schema, value) => {
    const validate = ajv.compile({ ...schema, components })
    validate(value)
    return validate.errors ?? []
  }
}
