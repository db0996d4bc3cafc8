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
import { grown } from './grown.ts'
import { generate, modelOf, SOURCES } from './support.ts'

const OWN = join(ROOT, 'openapi.yaml')

let before: Api
let after: Api
let file: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'growth-'))
  file = join(folder, 'openapi.yaml')
  writeFileSync(file, grown(readFileSync(OWN, 'utf8')))
  before = await modelOf(OWN)
  after = await modelOf(file)
  return () => rmSync(folder, { recursive: true })
})

describe('a contract with an event, an operation, a field and an enum value more', () => {
  it('is generated', async () => {
    expect(await generate(file)).toMatchObject({ exit: 0 })
    expect(before.webhooks.map(({ event }) => event)).not.toContain(after.webhooks[0]?.event)
    expect(before.operations.map(({ path }) => path)).not.toContain(after.operations[0]?.path)
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
