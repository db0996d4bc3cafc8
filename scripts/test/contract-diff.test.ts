import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HELP, parse } from '../changes/cli.ts'
import { diff, type Settings } from '../changes/diff.ts'
import type { Change } from '../changes/types.ts'
import { NAME_RULES } from '../languages.ts'
import { loadPlatform } from '../lower/platform.ts'
import { loadPolicy } from '../lower/policy.ts'
import { ROOT } from '../repository.ts'
import { documentOf, type Sketch } from './changes/skeleton.ts'
import { temporaryFolder } from './support.ts'

const { platform } = await loadPlatform(join(ROOT, 'sdks/names.yaml'), NAME_RULES)
const { policy } = await loadPolicy(join(ROOT, 'sdks/behavior.yaml'))
if (!platform || !policy) throw new Error('the names or the policy cannot be read')

const BEHAVIOR = readFileSync(join(ROOT, 'sdks/behavior.yaml'), 'utf8')

function settings(root: string): Settings {
  if (!platform || !policy) throw new Error('unreachable')
  return { root, platform, policy, today: '2027-01-15', paint: (_, text) => text }
}

/** A folder like the root of this repository. */
function repository(files: Record<string, unknown>): string {
  const root = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
    writeFileSync(join(root, path), text)
  }
  return root
}

function git(root: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const { status, stderr } = spawnSync('git', [...identity, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

/** Runs the command with arguments, in a folder. */
async function run(root: string, ...args: string[]) {
  const options = parse(args)
  if ('exit' in options) throw new Error(options.text)
  const outcome = await diff(options, settings(root))
  const plain = (text: string) => text.replaceAll(root, '')
  return { ...outcome, stdout: plain(outcome.stdout), stderr: plain(outcome.stderr) }
}

const OLD: Sketch = {
  response: { id: { type: 'string' }, note: { type: 'string' }, text: { type: 'string' } },
  required: ['id', 'text', 'name', 'title', 'thing_id'],
}
const NEW: Sketch = { response: { id: { type: 'string' } } }

/** A repository whose release has fields that its work tree has not. */
function released(more: Record<string, unknown> = {}): string {
  return repository({
    'contracts/1.9.0.yaml': documentOf({}),
    'contracts/1.10.0.yaml': documentOf(OLD),
    'contracts/1.10.0-rc.1.yaml': documentOf({}),
    'contracts/1.10.0.behavior.yaml': BEHAVIOR,
    'openapi.yaml': documentOf(NEW),
    'sdks/behavior.yaml': BEHAVIOR,
    ...more,
  })
}

describe('the report', () => {
  it('shows silent breaks first, with what they do to whom', async () => {
    const { exit, stdout } = await run(released())
    expect(exit).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "1.10.0 → the work tree

      Silently wrong (1)
        The optional field Thing.note was removed.
          upgrade: compile, Ruby runtime · stay: silent
          contracts/1.10.0.yaml:185 → (none) · GET /v1/things/{id}, POST /v1/things
          response-field-optional-removed a64b8c0def92

      Fails when it runs (1)
        Thing.text was removed.
          upgrade: compile, Ruby runtime · stay: warning
          contracts/1.10.0.yaml:188 → (none) · GET /v1/things/{id}, POST /v1/things
          response-field-removed 703a3d49831e

      2 changes: 2 breaking (1 silently wrong), 0 additive, 0 documentation.
      "
    `)
  })

  it('is Markdown for a pull request', async () => {
    const { stdout } = await run(released(), '--markdown')
    expect(stdout).toMatchInlineSnapshot(`
      "## Changes of the contract: \`1.10.0\` → \`the work tree\`

      2 changes: 2 breaking (1 silently wrong), 0 additive, 0 documentation.

      ### Silently wrong

      - The optional field \`Thing.note\` was removed.
        - **upgrade**: compile, Ruby runtime · **stay**: silent
        - \`Thing.note\` · \`Thing#note\` · \`Thing.Note\`
        - GET /v1/things/{id}, POST /v1/things. \`contracts/1.10.0.yaml:185 → (none)\` \`a64b8c0def92\`

      ### Fails when it runs

      - \`Thing.text\` was removed.
        - **upgrade**: compile, Ruby runtime · **stay**: warning
        - \`Thing.text\` · \`Thing#text\` · \`Thing.Text\`
        - GET /v1/things/{id}, POST /v1/things. \`contracts/1.10.0.yaml:188 → (none)\` \`703a3d49831e\`
      "
    `)
  })

  it('is JSON for programs', async () => {
    const { stdout } = await run(released(), '--json')
    const { base, target, changes, summary } = JSON.parse(stdout)
    expect({ base, target }).toEqual({ base: '1.10.0', target: 'the work tree' })
    expect(summary).toMatchObject({ total: 2, breaking: 2, silent: 1, failing: 2 })
    expect(changes[0]).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      kind: 'response-field-optional-removed',
      pointer: '/components/schemas/Thing/properties/note',
      before: { file: 'contracts/1.10.0.yaml', line: expect.any(Number) },
      after: null,
      class: 'breaking',
      preview: false,
      provenance: 'contract',
      subject: {
        typescript: 'Thing.note',
        python: 'Thing.note',
        ruby: 'Thing#note',
        go: 'Thing.Note',
      },
      effects: {
        typescript: { upgrade: 'compile', stay: 'silent', receive: null },
        python: { upgrade: 'compile', stay: 'silent', receive: null },
        ruby: { upgrade: 'runtime', stay: 'silent', receive: null },
        go: { upgrade: 'compile', stay: 'silent', receive: null },
      },
      text: 'The optional field `Thing.note` was removed.',
      texts: {
        typescript: 'The optional field `Thing.note` was removed.',
        python: 'The optional field `Thing.note` was removed.',
        ruby: 'The optional field `Thing#note` was removed.',
        go: 'The optional field `Thing.Note` was removed.',
      },
      users: ['GET /v1/things/{id}', 'POST /v1/things'],
      renamed: null,
      assumed: { before: false, after: false },
      approved: null,
    })
  })

  it('compares what it is told to', async () => {
    const root = released()
    const none = await run(root, '1.9.0')
    expect([none.exit, none.stdout]).toEqual([0, '1.9.0 → the work tree\n\nNothing changed.\n'])
    expect((await run(root, '1.9.0', '--to', '1.10.0')).exit).toBe(0)
    expect((await run(root, '1.9.0', '--to', '1.10.0', '--fail-on', 'additive')).exit).toBe(1)
    const file = join(root, 'contracts/1.10.0.yaml')
    expect((await run(root, file, '--to', file, '--fail-on', 'documentation')).exit).toBe(0)
  })
})

describe('approvals', () => {
  it('do not count, and say why and until when', async () => {
    const { stdout } = await run(released(), '--json')
    const fingerprints = JSON.parse(stdout).changes.map((one: Change) => one.fingerprint)
    const approvals = fingerprints.map((fingerprint: string) => ({
      fingerprint,
      reason: 'Nobody has ever read it.',
      expires: '2027-01-15',
    }))
    const approved = await run(released({ 'contracts/approvals.yaml': approvals }))
    expect(approved.exit).toBe(0)
    expect(approved.stdout).toContain('[approved until 2027-01-15: Nobody has ever read it.]')
    expect(approved.stdout).toContain('2 approved')
  })

  it('that are expired or about nothing count as none, and are named', async () => {
    const approval = { reason: 'Nobody has ever read it.', expires: '2027-01-14' }
    const { stdout: json } = await run(released(), '--json')
    const { fingerprint } = JSON.parse(json).changes[0]
    const approvals = [
      { fingerprint, ...approval },
      { fingerprint: '0123456789ab', ...approval, expires: '2027-09-01' },
    ]
    const { exit, stdout } = await run(released({ 'contracts/approvals.yaml': approvals }))
    expect(exit).toBe(1)
    expect(stdout).toContain(
      `approvals.yaml:2: the approval of ${fingerprint} expired on 2027-01-14.`,
    )
    expect(stdout).toContain('no change has the fingerprint 0123456789ab. Remove the approval.')
  })

  it('without a reason are refused', async () => {
    const approvals = [{ fingerprint: '0123456789ab', reason: 'ok', expires: '2027-01-15' }]
    const { exit, stderr } = await run(released({ 'contracts/approvals.yaml': approvals }))
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^\/contracts\/approvals\.yaml:4:5: .*\n$/)
  })
})

it('says which old names of methods the base has kept already', async () => {
  const renamed = { 'x-sdk-method': 'things.make', 'x-renamed-from': 'things.create' }
  const text = documentOf({ document: { paths: { '/v1/things': { post: renamed } } } })
  const before = { 'contracts/1.0.0.yaml': text, 'contracts/1.0.0.behavior.yaml': BEHAVIOR }
  const root = repository({ ...before, 'openapi.yaml': text, 'sdks/behavior.yaml': BEHAVIOR })
  const { exit, stdout } = await run(root)
  expect(exit).toBe(0)
  expect(stdout).toMatch(
    /openapi\.yaml:\d+: 1\.0\.0 already had things\.create as an old name\. Remove its x-renamed-from\./,
  )
})

it('says which old names of fields the base has kept already', async () => {
  const text = documentOf({ response: { net: { type: 'string', 'x-renamed-from': 'total' } } })
  const before = { 'contracts/1.0.0.yaml': text, 'contracts/1.0.0.behavior.yaml': BEHAVIOR }
  const root = repository({ ...before, 'openapi.yaml': text, 'sdks/behavior.yaml': BEHAVIOR })
  const { stdout } = await run(root)
  expect(stdout).toMatch(/1\.0\.0 already had Thing\.total as an old name\./)
})

describe('reserved names', () => {
  it('must not be used again', async () => {
    const reserved = [{ name: 'Thing.note', removed: '1.8.0' }]
    const files = { 'contracts/reserved.yaml': reserved }
    const { exit, stdout } = await run(released(files), '1.9.0', '--to', '1.10.0')
    expect(exit).toBe(1)
    expect(stdout).toContain(
      'The name Thing.note was removed in 1.8.0, so it must not be used again.',
    )
  })
})

describe('input that cannot be read is a sentence with its cure', () => {
  async function refused(root: string, ...args: string[]): Promise<string> {
    const { exit, stdout, stderr } = await run(root, ...args)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
    return stderr
  }

  it('of a base that is nothing', async () => {
    expect(await refused(released(), '2.0.0')).toBe(
      '"2.0.0" is neither a file nor a released version (released: 1.9.0, 1.10.0-rc.1, 1.10.0). Name one, or a git revision as git:2.0.0.\n',
    )
  })

  it('of a missing base', async () => {
    const root = repository({ 'openapi.yaml': documentOf({}), 'sdks/behavior.yaml': BEHAVIOR })
    expect(await refused(root)).toMatch(/^There is no release in contracts\/ and no git tag/)
  })

  it('of git where there is none', async () => {
    expect(await refused(released(), 'git:HEAD')).toMatch(/^git:HEAD needs a git repository, and /)
  })

  it('of a revision that is none, and of one without a contract', async () => {
    const root = released()
    git(root, 'init', '-q')
    git(root, 'commit', '-q', '--allow-empty', '-m', 'Empty')
    expect(await refused(root, 'git:nothing')).toMatch(/^git:nothing is no commit/)
    expect(await refused(root, 'git:')).toMatch(/^git: is no commit/)
    expect(await refused(root, 'git:--all')).toMatch(/^git:--all is no commit/)
    expect(await refused(root, 'git:HEAD')).toMatch(/^git:HEAD has no openapi\.yaml\. Name a later/)
  })

  it('of YAML that is broken, and of a document that is no contract', async () => {
    const root = released({ 'a.yaml': 'openapi: [', 'b.yaml': 'a: 1', 'c.yaml': '' })
    expect(await refused(root, join(root, 'a.yaml'))).toMatch(
      /a\.yaml:\d+:\d+: the file cannot be read/,
    )
    expect(await refused(root, join(root, 'b.yaml'))).toMatch(/b\.yaml:1:1: "openapi" is missing/)
    expect(await refused(root, join(root, 'c.yaml'))).toMatch(/c\.yaml:1:1: /)
    expect(await refused(root, root)).toMatch(/: the file cannot be read/)
  })
})

describe('git revisions', () => {
  it('are read with the files beside the contract', async () => {
    const id = { type: 'string' }
    const schemas = { Thing: { type: 'object', properties: { id, b: id } } }
    const beside = { document: { components: { schemas: { Thing: null } } } }
    const text = JSON.stringify(documentOf(beside)).replaceAll(
      '#/components/schemas/Thing"',
      './schemas.yaml#/Thing"',
    )
    const root = repository({
      'openapi.yaml': text,
      'schemas.yaml': schemas,
      'sdks/behavior.yaml': BEHAVIOR,
    })
    git(root, 'init', '-q')
    git(root, 'add', '.')
    git(root, 'commit', '-q', '-m', 'First')
    git(root, 'tag', 'v1.0.0')
    writeFileSync(
      join(root, 'schemas.yaml'),
      JSON.stringify({ Thing: { type: 'object', properties: { id } } }),
    )
    const { stdout } = await run(root, '--json')
    const { base, changes } = JSON.parse(stdout)
    expect(base).toBe('git:v1.0.0')
    expect(changes.map(({ kind, before }: Change) => [kind, before?.file])).toEqual([
      ['response-field-optional-removed', 'schemas.yaml'],
    ])
  })

  it('of this repository are compared with its work tree', async () => {
    // A copy without the whole history, or without any, has not got the first.
    const isKnown = (name: string) =>
      spawnSync('git', ['cat-file', '-e', name], { cwd: ROOT }).status === 0
    const revision = ['a697b6f', 'HEAD'].find(isKnown)
    const base = revision ? `git:${revision}` : join(ROOT, 'openapi.yaml')
    const { exit, stdout, stderr } = await run(ROOT, base, '--json')
    expect([0, 1]).toContain(exit)
    expect(JSON.parse(stdout)).toMatchObject({ target: 'the work tree' })
    expect(stderr).toBe('')
  })
})

describe('the command line', () => {
  it('is refused with the reason and the help', () => {
    for (const [args, reason] of [
      [['a', 'b'], 'there is more than one BASE'],
      [['--json', '--markdown'], '--json and --markdown exclude each other'],
      [['--fail-on', 'all'], '--fail-on must be one of breaking, additive, documentation'],
      [[''], 'a revision has an empty name'],
    ] as const) {
      expect(parse([...args])).toEqual({ exit: 2, text: `${reason}\n\n${HELP}` })
    }
    expect(parse(['--what'])).toMatchObject({ exit: 2 })
    expect(parse(['--help'])).toEqual({ exit: 0, text: HELP })
  })

  it('is that of an npm script, with the exit codes that CI reads', () => {
    const call = (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/contract-diff.ts', ...args], {
        cwd: ROOT,
        encoding: 'utf8',
      })
    const nothing = call('openapi.yaml', '--to', 'openapi.yaml')
    expect([nothing.status, nothing.stdout]).toEqual([
      0,
      'openapi.yaml → openapi.yaml\n\nNothing changed.\n',
    ])
    const wrong = call('no-such-base')
    expect([wrong.status, wrong.stdout]).toEqual([2, ''])
    expect(call('--help').status).toBe(0)
  })
})
