import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml, stringifyYaml } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { isObject } from '../contract/json.ts'
import { emitAsyncAPI } from '../emit/asyncapi/index.ts'
import { emitDocs } from '../emit/docs/index.ts'
import { emit } from '../emit/typescript/index.ts'
import { LANGUAGES } from '../languages.ts'
import { ROOT } from '../repository.ts'
import { CASES, filesOf, generate, modelOf, SOURCES, write } from './support.ts'

const NO_GUIDES = { templates: new Map(), readmes: new Map() }
const OWN = join(ROOT, 'openapi.yaml')

async function everything(file: string): Promise<Map<string, string>> {
  const api = await modelOf(file)
  const files = [
    ...(await emit(api, SOURCES)),
    ...emitAsyncAPI(api, SOURCES),
    ...emitDocs(api, [], new Map(LANGUAGES.map((language) => [language, []])), NO_GUIDES, SOURCES),
  ]
  return new Map(files.map(({ path, content }) => [path, content]))
}

describe('the same contract gives the same bytes', () => {
  it('twice', async () => {
    const files = await everything(OWN)
    expect(files.size).toBeGreaterThan(15)
    expect(await everything(OWN)).toEqual(files)
  })

  it.each([
    ['our contract', OWN],
    ...['unions', 'objects', 'parameters', 'bodies', 'webhooks', 'marks', 'names'].map((name) => [
      name,
      join(CASES, name, 'openapi.yaml'),
    ]),
  ])('with the keys of all mappings in another order: %s', async (_, file) => {
    const document = parseYaml(readFileSync(file, 'utf8'))
    const shuffled = write(stringifyYaml(reversed(document)))
    expect(readFileSync(shuffled, 'utf8')).not.toBe(stringifyYaml(document))

    expect(await everything(shuffled)).toEqual(await everything(file))
  })

  it('without touching files that are up to date', async () => {
    const file = join(CASES, 'unions/openapi.yaml')
    const { out } = await generate(file)
    const times = () =>
      [...filesOf(out).keys()].map((path) => [path, statSync(join(out, path)).mtimeMs])
    const before = times()

    await generate(file, { out })

    expect(times()).toEqual(before)
  })

  it('and the model survives JSON', async () => {
    const api = await modelOf(OWN)
    expect(JSON.parse(JSON.stringify(api))).toEqual(api)
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isObject(value)) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]))
}
