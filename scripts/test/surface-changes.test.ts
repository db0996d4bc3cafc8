// What changes by hand in an SDK is a change too: the surfaces of two revisions are compared, and what the
// contract or the policy explains is left out.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { breaksOf } from '../changes/breaks.ts'
import { declarationsOf, SURFACES } from '../changes/surface/declarations.ts'
import { LANGUAGES, type Language, TITLES } from '../changes/types.ts'
import { ROOT } from '../repository.ts'
import { BEHAVIOR, changesOf, kinds, md, repository, run } from './changes/surfaces.ts'

const KEPT = 'export class Kept {\n    a(): void;\n}'

/** Surfaces before and after a change by hand, and what the report says. */
const CASES: Record<Language, Array<[before: string, after: string, said: string[]]>> = {
  typescript: [
    [
      md(KEPT, 'export type Gone = string;'),
      md(KEPT),
      ['sdk-symbol-removed TypeScript: `Gone` was removed.'],
    ],
    [
      md(KEPT),
      md(KEPT, 'export class Come {\n    a(): void;\n    b(): void;\n}'),
      ['sdk-symbol-added TypeScript: `Come` was added.'],
    ],
    [
      md(KEPT),
      md(KEPT.replace('a()', 'a(x: {\n        b?: string;\n    })')),
      ['sdk-symbol-changed TypeScript: `Kept.a` is declared in another way.'],
    ],
    [
      md(KEPT.replace('a()', 'a(x: Map<string, number>)')),
      md(KEPT.replace('a()', 'a(x: Map<string, number>, y?: string)')),
      ['sdk-symbol-extended TypeScript: `Kept.a` accepts more than before.'],
    ],
    [
      md(KEPT.replace('a()', "a(x: 'b', y: Known)"), "export type Known = 'c';"),
      md(KEPT.replace('a()', "a(x: 'b' | 'd', y: unknown)"), "export type Known = 'c';"),
      ['sdk-symbol-extended TypeScript: `Kept.a` accepts more than before.'],
    ],
    [
      md(KEPT.replace('a()', "a(x: 'b' | 'd')")),
      md(KEPT.replace('a()', "a(x: 'b')")),
      ['sdk-symbol-changed TypeScript: `Kept.a` is declared in another way.'],
    ],
    [
      md(KEPT.replace('void', 'string')),
      md(KEPT.replace('void', 'string | null')),
      ['sdk-symbol-changed TypeScript: `Kept.a` is declared in another way.'],
    ],
    // Nobody can name it.
    [md(KEPT, 'type Inner = 1;'), md(KEPT), []],
  ],
  python: [
    [
      'class a.B\ndef a.B.c(self) -> None\ndef a.d() -> None\n',
      'class a.B\ndef a.B.c(self, *, x: dict[str, int] = ...) -> None\n',
      [
        'sdk-symbol-removed Python: `a.d` was removed.',
        'sdk-symbol-extended Python: `a.B.c` accepts more than before.',
      ],
    ],
    [
      'def a.d(x: int) -> None\n',
      'def a.d(x: str) -> None\n',
      ['sdk-symbol-changed Python: `a.d` is declared in another way.'],
    ],
    // The names of types say nothing: what they hold does.
    [
      "type a.K = Literal['b', 'c']\ntype a.L = Literal['c', 'b', 'd']\ndef a.m(k: K, n: int) -> None\n",
      "type a.K = Literal['b', 'c']\ntype a.L = Literal['c', 'b', 'd']\ndef a.m(k: L, n: int | None, *, o: int = 1) -> None\n",
      ['sdk-symbol-extended Python: `a.m` accepts more than before.'],
    ],
    [
      "type a.K = Literal['b', 'c']\ntype a.L = Literal['c', 'b', 'd']\ndef a.m(k: L) -> None\n",
      "type a.K = Literal['b', 'c']\ntype a.L = Literal['c', 'b', 'd']\ndef a.m(k: K) -> None\n",
      ['sdk-symbol-changed Python: `a.m` is declared in another way.'],
    ],
    [
      'def a.m(x: int, *, y: str, z: str) -> None\n',
      'def a.m(x: int, w: int = 1, *, z: str = 2, y: str) -> None\n',
      ['sdk-symbol-extended Python: `a.m` accepts more than before.'],
    ],
    [
      'def a.m(x: int, y: str) -> None\n',
      'def a.m(y: str, x: int) -> None\n',
      ['sdk-symbol-changed Python: `a.m` is declared in another way.'],
    ],
  ],
  ruby: [
    [
      'class A::B\n  def c: (String x) -> void\n  def self.d: () -> void\nend\n\nclass A::Gone < A::B\n  def e: () -> void\nend\n',
      'class A::B\n  def c: (String x, ?y: Integer) -> void\n  def self.d: () -> Integer\nend\n',
      [
        'sdk-symbol-changed Ruby: `A::B.d` is declared in another way.',
        'sdk-symbol-removed Ruby: `A::Gone` was removed.',
        'sdk-symbol-extended Ruby: `A::B#c` accepts more than before.',
      ],
    ],
    [
      'class A::B\n  def c: (String x, ?y: String) -> void\nend\n',
      'class A::B\n  def c: (String | Symbol x, ?y: untyped) -> void\nend\n',
      ['sdk-symbol-extended Ruby: `A::B#c` accepts more than before.'],
    ],
  ],
  go: [
    [
      'pkg a, type B struct\npkg a, type B struct, C string\npkg a, method (*B) D() error\npkg a, func E(...Option)\n',
      'pkg a, type B struct\npkg a, type B struct, C int\npkg a, func E(...Option)\npkg a, func F()\n',
      [
        'sdk-symbol-changed Go: `a.B.C` is declared in another way.',
        'sdk-symbol-removed Go: `a.B.D` was removed.',
        'sdk-symbol-added Go: `a.F` was added.',
      ],
    ],
  ],
}

describe.each(LANGUAGES)('a change of the surface alone, in %s,', (language) => {
  it.each(
    CASES[language].map(
      ([before, after, said]) => [said[0] ?? 'is nothing', before, after, said] as const,
    ),
  )('%s', async (_, before, after, said) => {
    const changes = await changesOf(
      { surfaces: { [language]: before } },
      { surfaces: { [language]: after } },
    )
    expect(kinds(changes).sort()).toEqual([...said].sort())
    for (const { provenance, effects, before, after, fingerprint } of changes) {
      expect(provenance).toBe('generator')
      expect(fingerprint).toMatch(/^[0-9a-f]{12}$/)
      const { [language]: own, ...others } = effects
      expect(own.upgrade).not.toBeNull()
      const nobody = { upgrade: null, stay: null, receive: null }
      expect(Object.values(others)).toEqual([nobody, nobody, nobody])
      for (const site of [before, after]) {
        if (site)
          expect(site.file).toMatch(new RegExp(`^(contracts/1\\.0\\.0|sdks)/${language}/api\\.`))
      }
    }
  })
})

describe('a change of the surface', () => {
  const hand = { python: 'def a.hand() -> None\n' }

  it('is left out where the contract explains it, and no other is', async () => {
    const field = { response: { id: { type: 'string' }, sub_total: { type: 'string' } } }
    const surfaces = (more: { [language in Language]: string }) => ({
      typescript: md(`export interface Thing {\n    id: string;\n${more.typescript}}`, KEPT),
      python: `class a.Thing\n${more.python}def a.hand() -> None\n`,
      ruby: `class A::Thing\n  def initialize: (id: String${more.ruby}) -> void\nend\n`,
      go: `pkg a, type Thing struct\n${more.go}`,
    })
    const before = {
      contract: { response: { id: { type: 'string' } } },
      surfaces: surfaces({ typescript: '', python: '', ruby: '', go: '' }),
    }
    const now = surfaces({
      typescript: '    sub_total?: string;\n',
      python: 'a.Thing.sub_total: str\n',
      ruby: ', ?sub_total: String?',
      go: 'pkg a, type Thing struct, SubTotal string\n',
    })
    const follows = await changesOf(before, { contract: field, surfaces: now })
    expect(follows.map(({ provenance }) => provenance)).toEqual(['contract'])

    const python = now.python.replace(hand.python, '')
    const both = await changesOf(before, { contract: field, surfaces: { ...now, python } })
    expect(both.map(({ kind }) => kind)).toEqual(['sdk-symbol-removed', follows[0]?.kind])
  })

  const FIELD = (name: string) => ({
    typescript: md(`export interface Thing {\n    ${name}: string;\n}`, KEPT),
    python: `class a.Thing\na.Thing.${name}: str\n`,
    ruby: `class A::Thing\n  attr_reader ${name}: String\nend\n`,
    go: `pkg a, type Thing struct\npkg a, type Thing struct, ${name[0]?.toUpperCase()}${name.slice(1)} string\n`,
  })

  /** Breaks by hand whose names are made of a field that changes beside them, and where they stand. */
  const BESIDE: Record<Language, readonly [string, (text: string) => string][]> = {
    typescript: [
      ['Thing.hostname', (text) => text.replace('}', '    hostname: string;\n}')],
      ['Kept.filename', (text) => text.replace('a()', 'filename()')],
      ['Kept.renameHeader', (text) => text.replace('a()', 'renameHeader(name: string)')],
      ['Kept.name', (text) => text.replace('a()', 'name()')],
    ],
    python: [
      ['a.Thing.hostname', (text) => `${text}a.Thing.hostname: str\n`],
      ['a.Webhooks.rename_header', (text) => `${text}def a.Webhooks.rename_header(self) -> None\n`],
      ['a.Webhooks.name', (text) => `${text}a.Webhooks.name: str\n`],
    ],
    ruby: [
      ['A::Thing#hostname', (text) => text.replace('end', '  attr_reader hostname: String\nend')],
      ['A::Kept#name', (text) => `${text}\nclass A::Kept\n  attr_reader name: String\nend\n`],
    ],
    go: [
      ['a.Thing.HostName', (text) => `${text}pkg a, type Thing struct, HostName string\n`],
      ['a.Webhooks.Name', (text) => `${text}pkg a, method (*Webhooks) Name() string\n`],
    ],
  }

  it.each(
    LANGUAGES.flatMap((language) =>
      BESIDE[language].map(([name, edit]) => [TITLES[language], name, language, edit] as const),
    ),
  )('is said beside a change of a similar name: %s %s', async (_, name, language, edit) => {
    const id = { type: 'string' }
    const [old, now] = ['name', 'label'].map((field) => FIELD(field)[language]) as [string, string]
    // What the contract changes, it explains. The removal by hand it does not.
    const known = name === 'A::Kept#name' ? '\nclass A::Kept\nend\n' : ''
    const changes = await changesOf(
      { contract: { response: { name: id } }, surfaces: { [language]: edit(old) } },
      { contract: { response: { label: id } }, surfaces: { [language]: now + known } },
    )
    const byHand = changes.filter(({ provenance }) => provenance === 'generator')
    expect(byHand.map(({ kind, subject }) => `${kind} ${subject[language]}`)).toContain(
      `sdk-symbol-removed ${name}`,
    )
    expect(byHand.every(({ text }) => !/\b(?:label|Label)\b/.test(text))).toBe(true)
  })

  it('is left out where the policy explains it', async () => {
    const behavior = BEHAVIOR.replace('name: ConflictError', 'name: ClashError')
    const changes = await changesOf(
      { surfaces: { go: 'pkg a, type ConflictError struct\n' } },
      { behavior, surfaces: { go: 'pkg a, type ClashError struct\n' } },
    )
    expect(new Set(changes.map(({ provenance }) => provenance))).toEqual(new Set(['policy']))
  })

  it('is unknown where a revision has no surface', async () => {
    expect(await changesOf({ surfaces: {} }, { surfaces: hand })).toEqual([])
  })

  it('can be approved, and names only the languages that it concerns', async () => {
    const root = repository({ surfaces: hand }, { surfaces: { python: '' } })
    const refused = await run(root)
    expect(refused.exit).toBe(1)
    expect(refused.stdout).toContain('Python: a.hand was removed. [generator]')
    expect(refused.stdout).toContain('upgrade: Python compile\n')

    const [, fingerprint] = /sdk-symbol-removed (\w{12})/.exec(refused.stdout) ?? []
    const approval = { fingerprint, reason: 'Nobody uses it.', expires: '2027-02-01' }
    writeFileSync(join(root, 'contracts/approvals.yaml'), JSON.stringify([approval]))
    expect((await run(root)).exit).toBe(0)
  })

  it('is seen between two commits', async () => {
    const root = repository({ surfaces: {} }, { surfaces: hand })
    const git = (...args: string[]) => {
      const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
      expect(spawnSync('git', [...person, ...args], { cwd: root }).status).toBe(0)
    }
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'before')
    writeFileSync(join(root, 'sdks/python/api.txt'), '')
    const { stdout } = await run(root, 'git:HEAD', '--json')
    expect(JSON.parse(stdout).changes).toMatchObject([
      { kind: 'sdk-symbol-removed', before: { file: 'sdks/python/api.txt', line: 1 }, after: null },
    ])
  })
})

describe('the breaks of a program', () => {
  const before = 'def a.C.gone(self) -> None\ndef a.C.also(self) -> None\n'

  it('are those of what it names, in its language', async () => {
    const changes = await changesOf({ surfaces: { python: before } }, { surfaces: { python: '' } })
    const subjects = (language: Language, program: string) =>
      breaksOf(changes, language, program).map(({ subject }) => subject[language])
    expect(subjects('python', 'c.gone()')).toEqual(['a.C.gone'])
    expect(subjects('python', 'c.kept()')).toEqual([])
    expect(subjects('go', 'c.gone()')).toEqual([])
  })

  it('include those of what has no name in the SDKs, and the old names of what was renamed', async () => {
    const document = (security: object[]) => ({
      contract: { document: { security } },
      surfaces: {},
    })
    const unnamed = await changesOf(document([{}]), document([]))
    const breaking = unnamed.filter((change) => change.class === 'breaking')
    expect(breaksOf(unnamed, 'go', 'any()')).toHaveLength(breaking.length)

    const id = { type: 'string' }
    const renamed = await changesOf(
      { contract: { response: { sub_total: id } }, surfaces: {} },
      { contract: { response: { net: { ...id, 'x-renamed-from': 'sub_total' } } }, surfaces: {} },
    )
    expect(breaksOf(renamed, 'typescript', 'thing.sub_total')).toHaveLength(1)
  })
})

describe('an entry of a package', () => {
  const entry = (name: string, ...blocks: string[]) =>
    `## \`${name}\`\n\n\`\`\`ts\n${blocks.join('\n\n')}\n\`\`\`\n`
  const options = 'export interface Options {\n    wait: number;\n}'

  it('may list a declaration that an earlier entry has by now', async () => {
    const before = entry('sdk/a', 'export const A: string;') + entry('sdk/b', options)
    const now = (text: string) =>
      entry('sdk/a', 'export const A: string;', text) + entry('sdk/b', 'export { Options };')
    const changes = (text: string) =>
      changesOf({ surfaces: { typescript: before } }, { surfaces: { typescript: now(text) } })
    expect(kinds(await changes(options.replace('export ', '')))).toEqual([])
    const other = options.replace('number', 'string').replace('export ', '')
    expect(kinds(await changes(other))).toEqual([
      expect.stringContaining('sdk-symbol-changed TypeScript: `Options.wait`'),
    ])
  })
})

describe.each(LANGUAGES)('the surface of our SDK, in %s,', (language) => {
  const text = readFileSync(join(ROOT, 'sdks', language, SURFACES[language]), 'utf8')

  it('has a name in each declaration', () => {
    const declarations = [...declarationsOf(language, text).values()]
    expect(declarations.length).toBeGreaterThan(300)
    // Every line belongs to a declaration, but for headings, fences and ends.
    const lines = text
      .split('\n')
      .filter((line) => /^ *(?:export |def |attr_|pkg |class |property )/.test(line))
    const known = new Set(declarations.flatMap((one) => one.text.split('\n')))
    expect(lines.filter((line) => !known.has(line.trim()) && !known.has(line))).toEqual([])
  })
})
