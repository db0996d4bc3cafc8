// What a field is must not depend on the language: whether it may be absent, whether it may be null
// and whether other values may come are read from the emitted packages of every case and compared.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { typeNames } from '../emit/go/naming.ts'
import { constant } from '../emit/ruby/naming.ts'
import { indexOf } from '../model/index.ts'
import type { Api } from '../model/types.ts'
import * as go from './agreement/go.ts'
import * as python from './agreement/python.ts'
import * as ruby from './agreement/ruby.ts'
import type { Fields, Seen } from './agreement/seen.ts'
import * as typescript from './agreement/typescript.ts'
import { CASES, generate, modelOf, temporaryFolder } from './support.ts'

const READERS = { typescript, python, ruby, go }
type Language = keyof typeof READERS
const LANGUAGES = Object.keys(READERS) as Language[]

const names = readdirSync(CASES).filter((name) => name !== 'negative')

describe('all languages agree on every field', () => {
  const out = mkdtempSync(join(tmpdir(), 'agreement-'))
  const apis = new Map<string, Api>()
  const found = new Map<string, Record<Language, Fields>>()

  beforeAll(async () => {
    for (const name of names) {
      const contract = join(CASES, name, 'openapi.yaml')
      apis.set(name, await modelOf(contract))
      await generate(contract, { out: join(out, name) })
    }
    const all = readAll(names.map((name) => join(out, name)))
    for (const [index, name] of names.entries()) found.set(name, all[index] as never)
    return () => rmSync(out, { recursive: true, force: true })
  }, 180_000)

  it.each(names)('%s', (name) => {
    expect(differences(apis.get(name) as Api, found.get(name) as never)).toEqual([])
  })

  it('finds fields to compare in each language', () => {
    for (const language of LANGUAGES) {
      const count = names.reduce((sum, name) => sum + (found.get(name)?.[language].size ?? 0), 0)
      expect(count, language).toBeGreaterThan(200)
    }
  })

  // A check that finds nothing is worth something only if it finds what is there.
  it.each<[Language, string, string, string]>([
    ['typescript', 'src/generated/types.ts', '  size: number', '  size?: number'],
    ['typescript', 'src/generated/types.ts', 'subtitle?: string | null', 'subtitle?: string'],
    [
      'python',
      'src/support_chat/_generated/types.py',
      '    size: int',
      '    size: int | None = None',
    ],
    [
      'python',
      'src/support_chat/_generated/types.py',
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
      'lib/support_chat/generated/types/box.rb': ['field :size', 'field :size, optional: true'],
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

  /** What is found once the first of some texts is changed wherever it stands in a file. */
  function mutated(
    language: Language,
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
    const [fields] = READERS[language].read([join(folder, language)])
    const all = { ...found.get(name), [language]: fields } as Record<Language, Fields>
    return differences(apis.get(name) as Api, all)
  }
})

function readAll(folders: readonly string[]): Array<Record<Language, Fields>> {
  const read = LANGUAGES.map((language) =>
    READERS[language].read(folders.map((folder) => join(folder, language))),
  )
  return folders.map(
    (_, index) =>
      Object.fromEntries(LANGUAGES.map((language, at) => [language, read[at]?.[index]])) as never,
  )
}

/** Every field of which two languages, or a language and the model, say different things. */
function differences(api: Api, found: Record<Language, Fields>): string[] {
  const index = indexOf(api.decls)
  const goNames = typeNames(api)
  const nameOf: Record<Language, (id: string) => string> = {
    typescript: (id) => id,
    python: (id) => id,
    ruby: constant,
    go: (id) => goNames.get(id) ?? id,
  }
  // Python and Ruby have no type for what they take as arguments.
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
      for (const language of LANGUAGES) {
        const name = nameOf[language](model.id)
        const seen = found[language].get(`${name}.${field.wire}`)
        const hasType = [...found[language].keys()].some((key) => key.startsWith(`${name}.`))
        if (seen) said.push([language, seen])
        else if (hasType || language === 'typescript' || language === 'go') {
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
