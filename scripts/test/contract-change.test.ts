import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseChangesetFile } from '@changesets/parse'
import { describe, expect, it } from 'vitest'
import { comparison } from '../changes/diff.ts'
import { change } from '../release/change.ts'
import { changesets as changesetsPart } from '../release/changesets/index.ts'
import { HELP, parse } from '../release/cli.ts'
import type { Part } from '../release/part.ts'
import { ROOT } from '../repository.ts'
import { surroundingsOf } from '../surroundings.ts'
import { documentOf, type Sketch } from './changes/skeleton.ts'
import { temporaryFolder } from './support.ts'

const surroundings = await surroundingsOf(ROOT)
const BEHAVIOR = readFileSync(join(ROOT, 'sdks/behavior.yaml'), 'utf8')
const PACKAGES = {
  typescript: 'sdks/typescript',
  python: 'sdks/python',
  ruby: 'sdks/ruby',
  go: 'sdks/go',
  'mock-server': 'mock-server',
}
type Slug = keyof typeof PACKAGES

/** A repository whose contract was one thing at its last release, and is another now. */
function repository(before: Sketch, after: Sketch, version = '0.1.0'): string {
  const root = temporaryFolder()
  put(root, `contracts/${version}.yaml`, documentOf(before))
  put(root, `contracts/${version}.behavior.yaml`, BEHAVIOR)
  put(root, 'openapi.yaml', documentOf(after))
  put(root, 'sdks/behavior.yaml', BEHAVIOR)
  put(root, '.changeset/README.md', 'Not a changeset.\n')
  for (const [slug, folder] of Object.entries(PACKAGES)) {
    put(root, `${folder}/package.json`, { name: `@acme/${slug}`, version })
  }
  return root
}

function put(root: string, path: string, content: unknown): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  writeFileSync(join(root, path), text)
}

/** Runs the command with arguments, in a folder. */
function run(root: string, args: string[] = [], parts?: Part[]) {
  const options = parse(args)
  if ('exit' in options) throw new Error(options.text)
  return change(options, { ...surroundings, root, today: '2027-01-15' }, parts)
}

const check = async (root: string) => (await run(root, ['--check'])).exit

/** The changesets, by their files. */
function changesets(root: string): Map<string, ReturnType<typeof parseChangesetFile>> {
  const files = readdirSync(join(root, '.changeset')).filter((name) => name !== 'README.md')
  return new Map(
    files.sort().map((name) => {
      const text = readFileSync(join(root, '.changeset', name), 'utf8')
      return [name, parseChangesetFile(text)]
    }),
  )
}

/** The bumps that the command computes, by package. */
async function bumps(root: string): Promise<Record<string, string>> {
  expect((await run(root)).exit).toBe(0)
  const releases = [...changesets(root).values()].flatMap((one) => one.releases)
  return Object.fromEntries(releases.map(({ name, type }) => [name.replace('@acme/', ''), type]))
}

const string = { type: 'string' }
const REMOVED: [Sketch, Sketch] = [
  { response: { id: string, sub_total: string } },
  { response: { id: string } },
]
const query = (...names: string[]): Sketch => ({
  query: names.map((name) => ({ name, schema: string })),
})
const described: Sketch = { document: { paths: { '/v1/things': { get: { summary: 'All.' } } } } }
const method = (name: string): Sketch => ({
  document: { paths: { '/v1/things': { post: { 'x-sdk-method': name } } } },
})
const ALL: Slug[] = ['typescript', 'python', 'ruby', 'go', 'mock-server']
const SDKS: Slug[] = ['typescript', 'python', 'ruby', 'go']

describe('the bump of each package', () => {
  it.each<[what: string, edit: [Sketch, Sketch], breaks: Slug[], adds: Slug[]]>([
    ['nothing', [{}, {}], [], []],
    ['prose', [{}, described], [], []],
    ['a removed field', REMOVED, ALL, []],
    ['an added parameter', [query('a'), query('a', 'b')], [], ALL],
    [
      'the first parameter, which breaks Go alone',
      [{}, query('a')],
      ['go'],
      ['typescript', 'python', 'ruby', 'mock-server'],
    ],
    ['another name of a method, which only SDKs have', [{}, method('things.make')], SDKS, []],
  ])('for %s', async (_, [before, after], breaks, adds) => {
    const expected = (ofBreak: string, ofAddition: string) =>
      Object.fromEntries([
        ...breaks.map((slug) => [slug, ofBreak]),
        ...adds.map((slug) => [slug, ofAddition]),
      ])
    expect(await bumps(repository(before, after))).toEqual(expected('minor', 'patch'))
    expect(await bumps(repository(before, after, '1.4.0'))).toEqual(expected('major', 'minor'))
  })

  it('for a break of the policy, which the mock server does not have', async () => {
    const root = repository({}, {})
    put(root, 'sdks/behavior.yaml', BEHAVIOR.replace(/^timeout_ms: \d+/m, 'timeout_ms: 5'))
    const minor = Object.fromEntries(SDKS.map((slug) => [slug, 'minor']))
    expect(await bumps(root)).toEqual(minor)
  })
})

describe('the text', () => {
  async function texts(before: Sketch, after: Sketch): Promise<Record<string, string>> {
    const root = repository(before, after)
    await run(root)
    return Object.fromEntries(
      [...changesets(root)].map(([name, { summary }]) => {
        return [name.replace('contract-since-0.1.0-', '').replace('.md', ''), summary]
      }),
    )
  }

  it('has the names of its language, breaks first, and says what happens', async () => {
    const [before, after] = REMOVED
    const found = await texts({ ...before, ...query('a') }, { ...after, ...query('a', 'sort_by') })
    expect(found.ruby).toMatchInlineSnapshot(`
      "Changes that break programs:

      - \`Thing#sub_total\` was removed. After the upgrade, the affected code fails when it runs. Without the upgrade, you get a warning.

      The upgrade guide, \`docs/upgrading.md\` in the repository, shows the code before and after.

      Changes that break no program:

      - \`client.things.list(sort_by:)\` was added."
    `)
    expect(found['mock-server']).toMatchInlineSnapshot(`
      "The mock server follows the contract.

      Changes that break programs:

      - \`Thing.sub_total\` was removed. With older versions of the SDKs, you get a warning.

      The upgrade guide, \`docs/upgrading.md\` in the repository, shows the code before and after.

      Changes that break no program:

      - \`things.list(sort_by)\` was added."
    `)
    expect(found.typescript).toContain(
      '- `Thing.sub_total` was removed. After the upgrade, the TypeScript compiler reports the affected code.',
    )
    expect(found.python).toContain('- `client.things.list(sort_by=)` was added.')
    expect(found.go).toContain(
      '- `Thing.SubTotal` was removed. After the upgrade, the Go compiler ',
    )
    expect(found.go).toContain('- `ThingListParams.SortBy` was added.')
  })

  it('says what only looks renamed, and what is a preview', async () => {
    const preview = { document: { 'x-stability': 'preview' } }
    const found = await texts(
      { response: { id: string, a: { type: 'integer' } }, ...preview },
      { response: { id: string, b: { type: 'integer' } }, ...preview },
    )
    expect(found.go).toMatch(
      /^Changes of the preview that break programs:\n\n- .* _\(looks renamed\)_ /,
    )
  })

  it('links to the entry of each break, once the address of the repository is ours', async () => {
    const root = repository(...REMOVED)
    const platform = {
      ...surroundings.platform,
      repository: 'https://acme.test/desk',
      published: true,
    }
    await change(parse([]) as never, { ...surroundings, platform, root, today: '2027-01-15' })
    const { summary = '' } = changesets(root).get('contract-since-0.1.0-go.md') ?? {}
    const [, anchor] =
      /\(https:\/\/acme\.test\/desk\/blob\/main\/docs\/upgrading\.md#([\w-]+)\)/.exec(summary) ?? []
    expect(readFileSync(join(root, 'docs/upgrading.md'), 'utf8')).toContain(
      `<a id="${anchor}"></a>`,
    )
    expect(summary).not.toContain('in the repository')
  })

  it('counts the assumptions that are settled', async () => {
    const fields = (more: object) =>
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { type: 'string', ...more }]))
    const { go } = await texts(
      { response: fields({ 'x-assumed': 'The type is not shown.' }) },
      { response: fields({}) },
    )
    expect(go).toBe(
      'Changes that break no program:\n\n- 4 assumptions are now published, as assumed.',
    )
  })

  it('says a change of responses and of events in one line', async () => {
    const events = { MadeData: { properties: { thing: { $ref: '#/components/schemas/Thing' } } } }
    const document = { components: { schemas: events } }
    const [before, after] = REMOVED
    const { python = '' } = await texts({ ...before, document }, { ...after, document })
    expect(python.match(/`Thing\.sub_total` was removed/g)).toHaveLength(1)
    expect(python).toContain('In webhook handlers without the upgrade, ')
  })
})

describe('the command', () => {
  it('can run again, and follows the next edit with the same files', async () => {
    const root = repository(...REMOVED)
    expect(await check(root)).toBe(1)
    await run(root)
    const files = [...changesets(root).keys()]
    expect(files).toEqual(ALL.map((slug) => `contract-since-0.1.0-${slug}.md`).sort())
    expect(await check(root)).toBe(0)
    expect((await run(root)).stdout).not.toMatch(/wrote|removed/)

    put(root, 'openapi.yaml', documentOf(query('a')))
    expect(await check(root)).toBe(1)
    await run(root)
    expect([...changesets(root).keys()]).toEqual(files)
    expect(changesets(root).get('contract-since-0.1.0-go.md')?.summary).toContain(
      'takes parameters',
    )

    put(root, 'openapi.yaml', documentOf(REMOVED[0]))
    const { stdout, stderr } = await run(root, ['--check'])
    expect([stdout, stderr]).toEqual(['', expect.stringContaining('no longer needed: .changeset/')])
    await run(root)
    expect([...changesets(root).keys()]).toEqual([])
    expect(await check(root)).toBe(0)
  })

  it('touches no changeset that somebody wrote', async () => {
    const root = repository(...REMOVED)
    const text = '---\n"@acme/go": major\n---\n\nGo has wings.\n'
    put(root, '.changeset/wings.md', text)
    await run(root)
    expect(readFileSync(join(root, '.changeset/wings.md'), 'utf8')).toBe(text)
    expect(changesets(root).size).toBe(6)
  })

  it('keeps a bump that somebody raised, until the text changes', async () => {
    const root = repository(...REMOVED)
    await run(root)
    const path = join(root, '.changeset/contract-since-0.1.0-go.md')
    writeFileSync(path, readFileSync(path, 'utf8').replace('minor', 'major'))
    expect(await check(root)).toBe(0)
    expect((await bumps(root)).go).toBe('major')
    put(root, 'openapi.yaml', documentOf(query('a')))
    expect((await bumps(root)).go).toBe('minor')
  })

  it('compares with the base that it gets, also with one that is no release', async () => {
    const root = repository({}, {})
    put(root, 'old/first contract.yaml', documentOf(query('a')))
    const { stdout } = await run(root, ['--base', join(root, 'old/first contract.yaml')])
    expect(stdout).toContain('wrote     .changeset/contract-since-')
    for (const name of changesets(root).keys()) expect(name).toMatch(/^[\w.-]+$/)
    expect(await check(root)).toBe(1)
  })

  it('writes about approved changes too', async () => {
    const root = repository(...REMOVED)
    await run(root)
    const before = changesets(root)
    const settings = { ...surroundings, root, today: '2027-01-15' }
    const { changes } = await comparison({ base: null, target: null }, settings)
    const approvals = changes.map(({ fingerprint }) => {
      return { fingerprint, reason: 'Nobody has ever read it.', expires: '2027-02-01' }
    })
    put(root, 'contracts/approvals.yaml', approvals)
    await run(root)
    expect(changesets(root)).toEqual(before)
  })
})

describe('a changeset by hand is enough', () => {
  /** All packages, with a bump and a text. */
  const by = (bump: string, text: string) =>
    `---\n${ALL.map((slug) => `"@acme/${slug}": ${bump}`).join('\n')}\n---\n\n${text}\n`
  const names = '`Thing.sub_total`, `Thing#sub_total` and `Thing.SubTotal` are gone.'

  it.each<[what: string, is: number, changeset: string]>([
    ['that names what changed', 0, by('minor', names)],
    ['that has a higher bump', 0, by('major', names)],
    ['with too low a bump', 1, by('patch', names)],
    ['that is about something else', 1, by('major', 'Everything is faster.')],
    ['for other packages', 1, '---\n"@acme/go": minor\n---\n\n`Thing.SubTotal` is gone.\n'],
  ])('%s: exit %i', async (_, exit, text) => {
    const root = repository(...REMOVED)
    put(root, '.changeset/mine.md', text)
    expect((await run(root, ['--check'], [changesetsPart])).exit).toBe(exit)
    await run(root)
    expect(await check(root)).toBe(0)
  })

  it('for the packages that it names, and the command writes the others', async () => {
    const root = repository(...REMOVED)
    put(root, '.changeset/mine.md', '---\n"@acme/go": minor\n---\n\n`Thing.SubTotal` is gone.\n')
    await run(root)
    expect([...changesets(root).keys()].filter((name) => name.includes('-go'))).toEqual([])
    expect(changesets(root).size).toBe(5)
  })
})

describe('nothing is half written', () => {
  it.each([
    ['contracts', 'is a folder'],
    ['openapi.yaml/guide.md', 'would be in a file'],
  ])('where %s, which another part writes, %s', async (path) => {
    const root = repository(...REMOVED)
    const faulty: Part = { own: () => [], files: () => new Map([[path, 'Text.']]) }
    const { exit, stdout, stderr } = await run(root, [], [changesetsPart, faulty])
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^${path} cannot be read or written \\(\\w+\\)\\. Make it `))
    expect(changesets(root).size).toBe(0)
  })
})

describe('input that cannot be read is a sentence with its cure', () => {
  async function refused(root: string, ...args: string[]): Promise<string> {
    const before = [...readdirSync(join(root, '.changeset'))]
    const { exit, stdout, stderr } = await run(root, args)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(join(root, '.changeset'))).toEqual(before)
    return stderr.replaceAll(root, '')
  }

  it('of a base that is nothing', async () => {
    expect(await refused(repository({}, {}), '--base', '3.0.0')).toMatch(
      /^"3\.0\.0" is neither a file nor a released version \(released: 0\.1\.0\)\. Name one, /,
    )
  })

  it('of a missing base', async () => {
    const root = temporaryFolder()
    put(root, '.changeset/README.md', '')
    expect(await refused(root)).toMatch(
      /Name a base: npm run contract:change -- --base git:HEAD\n$/,
    )
  })

  it('of a contract or a changeset that is broken', async () => {
    const root = repository(...REMOVED)
    put(root, '.changeset/broken.md', 'No front matter.\n')
    expect(await refused(root)).toMatch(/^\.changeset\/broken\.md: .* run npm run changeset\.\n$/)
    put(root, 'openapi.yaml', 'openapi: [')
    expect(await refused(root)).toMatch(/^openapi\.yaml:\d+:\d+: /)
  })

  it('of the command line', () => {
    expect(parse(['--base', ''])).toEqual({ exit: 2, text: `--base is empty\n\n${HELP}` })
    expect(parse(['--what'])).toMatchObject({ exit: 2 })
    expect(parse(['1.0.0'])).toMatchObject({ exit: 2 })
    expect(parse(['--help'])).toEqual({ exit: 0, text: HELP })
  })
})

describe('in this repository', () => {
  // If this fails, the contract or the policy changed: run `npm run contract:change`.
  it('what users read about changes since the last release is up to date', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/release/contract-change.ts', '--check'],
      { cwd: ROOT, encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })
})
