// A folder is a case: a small document, the files that must come out of it, and maybe files that use
// them and are checked with them. UPDATE=1 rewrites the expected files.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../languages.ts'
import type { Outcome } from '../pipeline.ts'
import { type Compiler, compilerOf } from './compilers.ts'
import { CASES, filesOf, generate } from './support.ts'

const UPDATE = process.env.UPDATE === '1'

const compilers = await Promise.all(
  LANGUAGES.map(async ({ name }): Promise<[string, Compiler]> => [name, await compilerOf(name)]),
)

const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'negative')
    .map(({ name }) => name)

/** The parts of a package that not every case has something to show in. */
const PARTS = {
  types: /(?:^|\/)(?:types|models)[./]/,
  operations: /(?:^|\/)(?:resources|services)[./]/,
  wiring: /(?:^|\/)(?:client|contract|paths)[./]/,
}
type Part = keyof typeof PARTS

// A case about types needs an operation to reach them, and a case about operations needs types. Keeping
// that again in every case would hide the few lines that a case is there for.
const BY_DEFAULT: readonly Part[] = ['types', 'operations']
const KEEPS: Readonly<Record<string, readonly Part[]>> = {
  bodies: ['operations'],
  combined: ['types'],
  composition: ['types'],
  dates: ['types'],
  enums: ['types'],
  inline: ['types'],
  integers: ['types'],
  maps: ['types'],
  marks: ['types', 'operations', 'wiring'],
  'media-types': ['operations', 'wiring'],
  objects: ['types'],
  'openapi-3.0': ['types'],
  parameters: ['operations', 'wiring'],
  recursion: ['types'],
  refinement: ['types'],
  statuses: ['operations'],
  styles: ['operations'],
  unions: ['types'],
  untagged: ['types'],
  updates: ['operations'],
  uploads: ['operations'],
}

const names = foldersOf(CASES)
const refused = foldersOf(join(CASES, 'negative'))

describe('a document becomes packages', () => {
  const packages = mkdtempSync(join(tmpdir(), 'cases-'))
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    for (const name of names) {
      const out = join(packages, name)
      outcomes.set(name, await generate(join(CASES, name, 'openapi.yaml'), { out }))
      const uses = join(CASES, name, 'uses')
      if (existsSync(uses)) cpSync(uses, out, { recursive: true })
    }
    return () => rmSync(packages, { recursive: true, force: true })
  }, 300_000)

  it.each(names)('%s has no problem', (name) => {
    expect(outcomes.get(name)).toMatchObject({ exit: 0, messages: [] })
  })

  describe.each(compilers)('%s', (language, { KEPT, check }) => {
    it.each(names)('%s: writes what the case keeps', (name) => {
      const files = keptOf(name, filesOf(join(packages, name, language), KEPT))
      const expected = join(CASES, name, 'expected', language)
      if (UPDATE) rewrite(expected, files)
      expect(files.size).toBeGreaterThan(0)
      expect(files).toEqual(filesOf(expected))
    })

    it('compiles in every case, runtime included', { timeout: 300_000 }, async () => {
      expect(await check(names.map((name) => join(packages, name, language)))).toEqual([])
    })
  })
})

describe('a document is refused', () => {
  it.each(refused)(
    '%s: reports the location, the fault and the fix, and writes nothing',
    async (name) => {
      const folder = join(CASES, 'negative', name)
      const outcome = await generate(join(folder, 'openapi.yaml'))

      expect(outcome.exit).toBe(1)
      expect(filesOf(outcome.out)).toEqual(new Map())
      const text = `${outcome.messages.join('\n')}\n`
      if (UPDATE) writeFileSync(join(folder, 'expected.txt'), text)
      expect(text).toBe(readFileSync(join(folder, 'expected.txt'), 'utf8'))
    },
  )
})

/** The files that a case compares: of the parts those that it keeps, and all that is in no part. */
function keptOf(name: string, files: ReadonlyMap<string, string>): Map<string, string> {
  const keeps = KEEPS[name] ?? BY_DEFAULT
  const left = Object.entries(PARTS).filter(([part]) => !keeps.includes(part as Part))
  return new Map([...files].filter(([path]) => !left.some(([, paths]) => paths.test(path))))
}

function rewrite(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
