// What users can name is checked in, so that a change of it by hand is seen in review too.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SURFACES } from '../changes/surface/declarations.ts'
import { LANGUAGES, type Language } from '../changes/types.ts'
import { ROOT } from '../repository.ts'
import { complaintAbout, complaintOf, overview, report, write } from '../surface/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'surface-'))
afterAll(() => rmSync(folder, { recursive: true }))

const surfaces = await Promise.all(LANGUAGES.map((language) => report(ROOT, language)))

describe('the surface of the SDK', () => {
  it.each(surfaces.map((one) => [one.file, one] as const))('is checked in as %s', (_, one) => {
    expect(complaintOf(one, ROOT)).toBeNull()
  })

  it('has an overview', () => {
    expect(complaintAbout(overview(), ROOT)).toBeNull()
  })

  it.each(surfaces.flatMap((one) => ('files' in one ? [...one.files] : [])))(
    '%s names no file of this machine',
    (_, text) => {
      for (const path of [ROOT, tmpdir(), 'src/', 'lib/', 'dist/', 'node_modules']) {
        expect(text).not.toContain(path)
      }
    },
  )
})

/** A package with an export, and what a further one by hand adds to it. */
interface Example {
  files: Record<string, string>
  edited: string
  addition: string
  added: string[]
  hidden: string
}

const MANIFEST = JSON.stringify({
  name: 'acme',
  version: '1.2.3',
  exports: { '.': { import: { types: './dist/index.d.ts' } } },
})

const EXAMPLES: Record<Language, Example> = {
  typescript: {
    files: {
      'package.json': MANIFEST,
      'dist/index.d.ts':
        'export declare const VERSION = "1.2.3";\nexport declare function a(): Hidden;\ninterface Hidden { b: string }\ninterface Unused { secret: 1 }\nexport {};\n',
    },
    edited: 'dist/index.d.ts',
    addition:
      '/** Says so. */\nexport declare class Added {\n    private secret;\n    give(x: number): void;\n}\n',
    added: ['export class Added {', '    give(x: number): void;', '}'],
    hidden: 'secret',
  },
  python: {
    files: {
      'src/acme/__init__.py':
        'from ._core import A\n\n__all__ = ["A"]\n__version__ = "1.2.3"\n_secret = 1\n',
      'src/acme/_core.py': 'class A:\n    def b(self) -> str: ...\n    def _secret(self): ...\n',
      'src/acme/more.py': '"""More."""\n',
    },
    edited: 'src/acme/more.py',
    addition: 'def added(x: int, *, y: str = "z") -> None:\n    """Says so."""\n',
    added: ["def acme.more.added(x: int, *, y: str = 'z') -> None"],
    hidden: 'secret',
  },
  ruby: {
    files: { 'sig/acme.rbs': 'module Acme\n  class A\n    def b: () -> ::String\n  end\nend\n' },
    edited: 'sig/acme.rbs',
    addition:
      'module Acme\n  class A\n    # Says so.\n    def added: (\n      Integer x\n    ) -> A\n\n    private\n\n    def secret: () -> void\n  end\nend\n',
    added: ['  def added: (Integer x) -> Acme::A'],
    hidden: 'secret',
  },
  go: {
    files: {
      'go.mod': 'module example.com/acme\n\ngo 1.24\n',
      'acme.go': 'package acme\n\ntype A struct {\n\tB string\n\tsecret int\n}\n',
    },
    edited: 'acme.go',
    addition: '\n// Added says so.\nfunc (a *A) Added(x int) error { _ = a.secret; return nil }\n',
    added: ['pkg acme, method (*A) Added(int) error'],
    hidden: 'secret',
  },
}

describe.each(LANGUAGES)('a change by hand, in %s,', (language) => {
  const { files, edited, addition, added, hidden } = EXAMPLES[language]
  const root = join(folder, language)
  const sdk = join(root, 'sdks', language)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(sdk, path)), { recursive: true })
    writeFileSync(join(sdk, path), content)
  }

  it('is seen, without comments and private names', async () => {
    const { content: before, files: written } = await reportedNow()
    write(written, root)
    expect(complaintOf(await report(root, language), root)).toBeNull()

    writeFileSync(join(sdk, edited), files[edited] + addition)
    expect(complaintOf(await report(root, language), root)).toBe(
      `sdks/${language}/${SURFACES[language]}, docs/api/${language}/client.md: not up to date. Run \`npm run surface\`.`,
    )
    const { content: after, files: pages } = await reportedNow()
    const known = new Set(before.split('\n'))
    expect(after.split('\n').filter((line) => !known.has(line))).toEqual(added)
    expect(after).not.toMatch(new RegExp(`${hidden}|Says so|1\\.2\\.3|${folder}`))
    const page = pages.get(`docs/api/${language}/client.md`)
    expect(page).toMatch(/says so\./i)
    expect(page).not.toMatch(new RegExp(`${hidden}|1\\.2\\.3|${folder}`))
  })

  async function reportedNow() {
    const reported = await report(root, language)
    if ('problem' in reported) throw new Error(reported.problem)
    return reported
  }
})

it('says what is missing where a tool finds nothing to read', async () => {
  const reported = await report(join(folder, 'nothing'), 'typescript')
  expect(complaintOf(reported, folder)).toMatch(/^sdks\/typescript\/api\.md: /)

  const root = join(folder, 'unbuilt')
  mkdirSync(join(root, 'sdks/typescript'), { recursive: true })
  writeFileSync(join(root, 'sdks/typescript/package.json'), MANIFEST)
  expect(complaintOf(await report(root, 'typescript'), root)).toBe(
    'sdks/typescript/api.md: The TypeScript package is not built. Run `npm run build`.',
  )
})
