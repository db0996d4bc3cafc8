// The names of the platform are one edit and one command. The whole repository is copied, gets quite
// different names, and has to work under them: here in parts that are quick, and in `npm run soak` wholly.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { recordedNames } from '../../emit/core/manifest.ts'
import { platformOf } from '../../lower/platform.ts'
import { spellingsOf } from '../../rename/spellings.ts'
import { ROOT } from '../../repository.ts'
import { Copy } from './copy.ts'

const MINUTE = 60_000
const own = recordedNames(ROOT) ?? {}

/** Each name differs from all others, so that none can pass for another. In parts, so that no file has them. */
const other = {
  title: ['Harbour', 'Line', 'Desk'].join(' '),
  client: ['Harbour', 'Client'].join(''),
  env_prefix: ['HARBOUR', 'LINE'].join('_'),
  npm: ['@harbour', 'line/client'].join('-'),
  mock_npm: ['@harbour', 'line/mock'].join('-'),
  pypi: ['harbour', 'desk', 'sdk'].join('-'),
  python_import: ['harbour', 'python'].join('_'),
  gem: ['harbour', 'gem'].join('_'),
  ruby_module: ['Harbour', 'Gem'].join(''),
  go_module: ['github.com/harbour', 'line/desk/sdks/go'].join('-'),
  go_package: ['harbour', 'go'].join(''),
}

const copy = new Copy()
afterAll(() => copy.remove())

const NAMES = join(copy.folder, 'sdks/names.yaml')
const written = readFileSync(NAMES, 'utf8')

function edit(names: Readonly<Record<string, string>>): void {
  const lines = Object.entries(names)
  const text = lines.reduce(
    (yaml, [name, value]) => yaml.replace(new RegExp(`^${name}: .*$`, 'm'), `${name}: "${value}"`),
    written,
  )
  writeFileSync(NAMES, text)
}

const rename = (...args: string[]) => copy.run('npm', ['run', '-s', 'rename', '--', ...args])
const status = () => copy.git('status', '--porcelain')

describe('before anything is renamed', () => {
  it('says so where the names are the same', () => {
    const { status, output } = rename()
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^Nothing to/) })
  })

  it('refuses a wrong option', () => {
    expect(rename('--drry-run').status).toBe(2)
  })

  it.each([
    [{ client: 'not a name' }, /sdks\/names\.yaml:\d+:1: client must /],
    [{ title: 'Webhooks', client: 'Webhooks' }, /:\d+:\d+: the new name `Webhooks` is a word here/],
    [{ python_import: 'json' }, /:\d+:\d+: the new name `json` is a word here/],
  ])('refuses %j and writes nothing', (names, message) => {
    edit(names)
    const before = status()
    const { status: exit, output } = rename()
    expect(output).toMatch(message)
    expect(exit).toBe(1)
    expect(status()).toBe(before)
  })

  it('refuses while there are other changes', () => {
    edit(other)
    writeFileSync(join(copy.folder, 'note.txt'), 'mine\n')
    const { status: exit, output } = rename()
    expect(output).toContain('not committed: note.txt')
    expect(exit).toBe(1)
    copy.git('clean', '-fq', 'note.txt')
  })

  it('lists what it would do, and writes nothing', () => {
    edit(other)
    const before = status()
    const { status: exit, output } = rename('--dry-run')
    expect(exit).toBe(0)
    expect(output).toContain(
      `move    sdks/python/src/${own.python_import}/py.typed → sdks/python/src/${other.python_import}/py.typed`,
    )
    expect(output).toContain('rewrite CONTRIBUTING.md')
    expect(status()).toBe(before)
  })

  it('makes the generator refuse the edit alone', () => {
    edit(other)
    const { status: exit, output } = copy.run('npm', ['run', '-s', 'generate'])
    expect(output).toMatch(/names\.yaml:\d+:1: title is `.*` here, but .* Run `npm run rename`\./)
    expect(exit).toBe(1)
  })
})

describe('the repository under other names', () => {
  it('is renamed by one command', { timeout: 5 * MINUTE }, () => {
    edit(other)
    const { status: exit, output } = rename()
    expect(output).toContain(`Renamed to ${other.title}`)
    expect(exit).toBe(0)
    copy.commit()
  })

  it('has no old name in any spelling, but in changelogs', () => {
    const words = new Set(
      spellingsOf(platformOf(own), platformOf(other)).map(({ old }) =>
        old.replace(/[^A-Za-z]+/g, '[-_. ]?'),
      ),
    )
    const pattern = [...words].join('|')
    const search = ['grep', '-IliE', pattern, '--', ':!*CHANGELOG.md']
    expect(copy.run('git', search)).toEqual({ status: 1, output: '' })
    const paths = copy.git('ls-files').split('\n')
    expect(paths.filter((path) => new RegExp(pattern, 'i').test(path))).toEqual([])
  })

  it('is up to date', () => {
    expect(copy.run('npm', ['run', '-s', 'generate', '--', '--check'])).toMatchObject({ status: 0 })
  })
})

/**
 * What fails where a name was missed: whatever is compiled, type-checked, loaded or linted. Of the suites,
 * one case family in every language (it loads each package and compares user agents), the tests of the
 * names that registries show, and the prose with its examples. The rest of the suites tests behavior, which
 * no name changes.
 */
const QUICK: ReadonlyArray<[what: string, folder: string, script: string[]]> = [
  ['builds', '.', ['npm', 'run', 'build']],
  ['writes its surfaces', '.', ['npm', 'run', 'surface']],
  ['is formatted', '.', ['npm', 'run', 'lint']],
  ['type-checks the scripts', 'scripts', ['npm', 'run', 'lint']],
  ['type-checks TypeScript', 'sdks/typescript', ['npm', 'run', 'lint']],
  ['lints and type-checks Python', 'sdks/python', ['npm', 'run', 'lint']],
  ['lints Ruby and checks its signatures', 'sdks/ruby', ['npm', 'run', 'lint']],
  ['vets Go', 'sdks/go', ['npm', 'run', 'lint']],
  ['type-checks the mock server', 'mock-server', ['npm', 'run', 'lint']],
  ['type-checks the examples', 'examples', ['npm', 'run', 'lint']],
  ['has clean prose and help', 'docs', ['npm', 'run', 'lint']],
  ['runs cases in each language', 'sdks/conformance', ['npm', 'run', 'case', '--', 'headers']],
  ['shows its names in registries', 'scripts', ['npx', 'vitest', 'run', 'test/links.test.ts']],
  ['packs TypeScript', 'sdks/typescript', ['npx', 'vitest', 'run', 'test/package']],
  [
    'runs the command of the mock server',
    'mock-server',
    ['npx', 'vitest', 'run', 'test/cli.test.ts'],
  ],
]

/** All suites, as one runs them before a commit. The copy that they are in need not copy itself again. */
const WHOLE: typeof QUICK = [
  ['builds', '.', ['npm', 'run', 'build']],
  ['writes its surfaces', '.', ['npm', 'run', 'surface']],
  ['passes all suites', '.', ['npx', 'turbo', 'run', 'lint', 'test', '--concurrency=2']],
]

describe('under its other names, it', () => {
  it.each(process.env.MODE === 'soak' ? WHOLE : QUICK)(
    '%s',
    { timeout: 60 * MINUTE },
    (_, folder, [command = '', ...args]) => {
      const { status: exit, output } = copy.run(command, args, folder)
      expect(exit, output.slice(-4000)).toBe(0)
    },
  )
})
