// A contract that grows adds to what is generated, and rewrites none of it: samples are chosen by marks and
// by the order of the document, not by the alphabet.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emitReadme } from '../emit/core/readme.ts'
import { samplesOf } from '../emit/core/samples.ts'
import { loadGenerators } from '../languages.ts'
import type { Api } from '../model/types.ts'
import { ROOT, readTemplates } from '../repository.ts'
import { generate, modelOf, SOURCES } from './support.ts'

const OWN = join(ROOT, 'openapi.yaml')

/** All of them sort before what there is, and stand before it. */
const ADDED: ReadonlyArray<[after: RegExp, text: string]> = [
  [
    /^paths:\n/m,
    `  /v1/aaa:
    get:
      operationId: getAaa
      x-sdk-method: aaa.get
      x-assumed: Only this test needs it.
      summary: Get it
      description: Returns nothing.
      tags: [Aaa]
      responses: { 204: { description: It is there. } }
`,
  ],
  [
    /^webhooks:\n/m,
    `  aaa.added:
    post:
      operationId: aaaAdded
      x-assumed: Only this test needs it.
      summary: It was added
      description: It was added.
      tags: [Events]
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/AaaAddedEvent" }
      responses: { 204: { description: It was received. } }
`,
  ],
  [
    /^ {2}schemas:\n/m,
    `    AaaAddedEvent:
      x-assumed: Only this test needs it.
      allOf:
        - $ref: "#/components/schemas/EventEnvelope"
        - type: object
          required: [event, data]
          properties:
            event: { type: string, const: aaa.added }
            data: { $ref: "#/components/schemas/AaaAddedData" }
    AaaAddedData:
      x-assumed: Only this test needs it.
      type: object
      required: [aaa]
      properties:
        aaa: { type: string, examples: [a] }
`,
  ],
]

let before: Api
let after: Api
let grown: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'growth-'))
  grown = join(folder, 'openapi.yaml')
  const text = ADDED.reduce(
    (document, [place, added]) => document.replace(place, (found) => found + added),
    withField(readFileSync(OWN, 'utf8')),
  )
  writeFileSync(grown, text)
  before = await modelOf(OWN)
  after = await modelOf(grown)
  return () => rmSync(folder, { recursive: true })
})

/** With a field more in the first object that is described. */
function withField(document: string): string {
  const schemas = document.search(/^ {2}schemas:\n/m)
  const described = document.slice(schemas).replace(/^ {6}properties:\n/m, (found) => {
    return `${found}        aaa: { type: string, description: A field that is new. }\n`
  })
  return document.slice(0, schemas) + described
}

describe('a contract with an event, an endpoint and a field more', () => {
  it('is generated', async () => {
    expect(await generate(grown)).toMatchObject({ exit: 0 })
    expect(after.webhooks[0]?.event).toBe('aaa.added')
    expect(after.operations[0]?.path).toBe('/v1/aaa')
  })

  it('only adds lines to the READMEs', async () => {
    const old = await readmesOf(before)
    const now = await readmesOf(after)
    for (const [language, text] of old) expect(lost(text, now.get(language)), language).toEqual([])
  })

  it('shows the same call first, and the same event of the future', () => {
    expect(after.exampleCall).toEqual(before.exampleCall)
    expect(samplesOf(after).at(-1)).toEqual(samplesOf(before).at(-1))
  })
})

async function readmesOf(api: Api): Promise<Map<string, string>> {
  const generators = [...(await loadGenerators())]
  return new Map(
    generators.map(([language, { readmeSlots, formatCode }]) => {
      const format = formatCode ? { fence: language.fence, format: formatCode } : null
      const { repository } = readTemplates(language)
      const slots = readmeSlots(api)
      const { content } = emitReadme(repository, slots, SOURCES, api.platform, null, format)
      return [language.name, content]
    }),
  )
}

/** The lines of a text that another one, which may have more, does not have in that order. */
function lost(text: string, other = ''): string[] {
  const lines = other.split('\n')
  let position = 0
  return text.split('\n').filter((line) => {
    const found = lines.indexOf(line, position)
    if (found !== -1) position = found + 1
    return found === -1
  })
}
