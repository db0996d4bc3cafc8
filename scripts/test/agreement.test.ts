// The facts about a field must not depend on the language: whether it may be absent, whether it may be null
// and whether other values may come are read from the emitted packages of every case and compared.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../languages.ts'
import { indexOf, receivedBy } from '../model/index.ts'
import type { Api } from '../model/types.ts'
import type { Fields, Reader, Seen } from './agreement/seen.ts'
import { CASES, generate, modelOf, temporaryFolder } from './support.ts'

/** What each language says of the fields of a case. */
type Found = ReadonlyMap<string, Fields>

const readers = new Map<string, Reader>(
  await Promise.all(
    LANGUAGES.map(async ({ name }): Promise<[string, Reader]> => {
      return [name, await import(`./agreement/${name}.ts`)]
    }),
  ),
)

const names = readdirSync(CASES).filter((name) => name !== 'negative')

describe('all languages agree on every field', () => {
  const out = mkdtempSync(join(tmpdir(), 'agreement-'))
  const apis = new Map<string, Api>()
  const found = new Map<string, Found>()

  beforeAll(async () => {
    for (const name of names) {
      const contract = join(CASES, name, 'openapi.yaml')
      apis.set(name, await modelOf(contract))
      await generate(contract, { out: join(out, name) })
    }
    const all = readAll(names.map((name) => join(out, name)))
    for (const [index, name] of names.entries()) found.set(name, all[index] ?? new Map())
    return () => rmSync(out, { recursive: true, force: true })
  }, 300_000)

  it.each(names)('%s', (name) => {
    expect(differences(apis.get(name) as Api, found.get(name) ?? new Map())).toEqual([])
  })

  it('finds fields to compare in each language', () => {
    for (const language of readers.keys()) {
      const count = names.reduce(
        (sum, name) => sum + (found.get(name)?.get(language)?.size ?? 0),
        0,
      )
      expect(count, language).toBeGreaterThan(200)
    }
  })

  // A check that finds nothing has a value only if it can find a difference.
  it.each<[string, string, string, string]>([
    ['typescript', 'src/generated/types.ts', '  size: number', '  size?: number'],
    ['typescript', 'src/generated/types.ts', 'subtitle?: string | null', 'subtitle?: string'],
    [
      'python',
      'src/sample_service/_generated/types.py',
      '    size: int',
      '    size: int | None = None',
    ],
    [
      'python',
      'src/sample_service/_generated/types.py',
      'subtitle: str | Unset | None = UNSET',
      'subtitle: str | None = None',
    ],
    ['go', 'models.gen.go', '`json:"size"`', '`json:"size,omitzero"`'],
    ['go', 'models.gen.go', 'Subtitle Optional[string]', 'Subtitle *string'],
  ])('notices a difference in %s: %s', (language, path, from, to) => {
    expect(mutated(language, { [path]: [from, to] })).not.toEqual([])
  })

  it('notices a difference in ruby', () => {
    const files = {
      'lib/sample_service/generated/types/box.rb': [
        'field :size, ::Integer',
        'field :size, ::Integer, optional: true',
      ],
      'sig/generated/types.rbs': ['attr_reader size: ::Integer', 'attr_reader size: ::Integer?'],
    } as const
    expect(mutated('ruby', files)).toContainEqual(expect.stringContaining('Box.size mayBeAbsent'))
    const required = { 'sig/generated/types.rbs': files['sig/generated/types.rbs'] }
    expect(mutated('ruby', required)).toContainEqual(expect.stringContaining('Box.size nullable'))
  })

  it('notices a value that one language closes', () => {
    const change = [' | (string & {})', ''] as const
    const files = { 'src/generated/types.ts': change }
    expect(mutated('typescript', files, 'enums')).toEqual([
      expect.stringContaining('Job.state closed'),
      expect.stringContaining('Job.outcome closed'),
    ])
  })

  /** The findings after the first of some texts is replaced everywhere in a file. */
  function mutated(
    language: string,
    files: Readonly<Record<string, readonly [from: string, to: string]>>,
    name = 'refinement',
  ): string[] {
    const folder = join(temporaryFolder(), name)
    cpSync(join(out, name), folder, { recursive: true })
    for (const [path, [from, to]] of Object.entries(files)) {
      const file = join(folder, language, path)
      const text = readFileSync(file, 'utf8')
      expect(text).toContain(from)
      writeFileSync(file, text.replaceAll(from, to))
    }
    const [fields = new Map()] = readers.get(language)?.read([join(folder, language)]) ?? []
    const all = new Map(found.get(name)).set(language, fields)
    return differences(apis.get(name) as Api, all)
  }
})

function readAll(folders: readonly string[]): Found[] {
  const all = [...readers].map(([language, { read }]) => {
    return [language, read(folders.map((folder) => join(folder, language)))] as const
  })
  return folders.map(
    (_, index) => new Map(all.map(([language, read]) => [language, read[index] ?? new Map()])),
  )
}

/** Every field of which two languages, or a language and the model, say different things. */
function differences(api: Api, found: Found): string[] {
  const index = indexOf(api.decls)
  const received = receivedBy(api)
  // Some languages have no type for a method's arguments.
  const params = new Set(api.operations.map((operation) => operation.params))
  const models = api.decls.filter((decl) => decl.kind === 'model' && !params.has(decl.id))
  return models.flatMap((model) => {
    if (model.kind !== 'model') return []
    return index.fields(model).flatMap((field) => {
      const said: Array<[who: string, seen: Seen]> = [
        [
          'model',
          {
            mayBeAbsent: field.mayBeAbsent,
            nullable: index.isNullable(field.type),
            closed: index.resolve(index.nonNull(field.type)).kind === 'literal',
          },
        ],
      ]
      for (const [language, { namer, hasAllTypes = true, closesSent = false }] of readers) {
        const name = namer?.(api)(model.id) ?? model.id
        const fields = found.get(language) ?? new Map()
        const seen = fields.get(`${name}.${field.wire}`)
        const hasType = [...fields.keys()].some((key) => key.startsWith(`${name}.`))
        const isGiven = closesSent && !received.has(model.id)
        if (seen) said.push([language, isGiven ? { ...seen, closed: null } : seen])
        else if (hasType || hasAllTypes) {
          return [`${model.id}.${field.wire}: ${language} has no such field`]
        }
      }
      return (['mayBeAbsent', 'nullable', 'closed'] as const).flatMap((fact) => {
        const opinions = said.filter(([, seen]) => seen[fact] !== null)
        if (new Set(opinions.map(([, seen]) => seen[fact])).size < 2) return []
        const text = opinions.map(([who, seen]) => `${who} ${seen[fact]}`).join(', ')
        return [`${model.id}.${field.wire} ${fact}: ${text}`]
      })
    })
  })
}
