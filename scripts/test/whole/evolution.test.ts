// The service goes from its preview to its launch, and the platform goes with it. In a copy of the whole
// repository each revision of contracts/evolution/ becomes the contract, one command follows it, four SDKs
// compile, and what users are told is what evolution/ has. UPDATE=1 rewrites that. `npm run soak` also runs
// the SDKs' own tests on some of the revisions.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SURFACES } from '../../changes/surface/declarations.ts'
import type { Language } from '../../changes/types.ts'
import { LANGUAGES } from '../../languages.ts'
import { ROOT } from '../../repository.ts'
import { Copy } from './copy.ts'

const MINUTE = 60_000
const EXPECTED = join(import.meta.dirname, 'evolution')
const FOLDER = join(ROOT, 'contracts/evolution')

const copy = new Copy()
afterAll(() => copy.remove())

const tool = (...args: string[]) => ['node', '../../scripts/toolchain/run.ts', ...args]

const SURFACE_FILES = LANGUAGES.map(({ name }) => `sdks/${name}/${SURFACES[name as Language]}`)

/** How the sources of an SDK are compiled. */
const COMPILERS: readonly [language: string, command: string[]][] = [
  ['typescript', ['npx', 'tsup']],
  ['python', tool('mypy', 'src')],
  ['ruby', tool('ruby', '-w', '-Ilib', '-e', 'require "support_chat"')],
  ['go', tool('go', 'build', './...')],
]

/** The SDKs' own tests, which no change of these contracts may hit. A revision stands for those before it. */
const TESTED = ['03-asked-at.yaml', '06-sitemaps.yaml', '10-removal.yaml', '15-launch.yaml']
const SUITES: readonly [language: string, command: string[]][] = [
  ['typescript', ['npx', 'vitest', 'run']],
  ['python', tool('pytest', '-q')],
  ['ruby', tool('rake', 'test')],
  ['go', tool('go', 'test', '-tags', 'everycontract', './...')],
]

/** Runs a command of the copy that has to succeed. */
function run([command = '', ...args]: string[], folder = '.'): string {
  const { status, output } = copy.run(command, args, folder)
  expect(status, output.slice(-4000)).toBe(0)
  return output
}

/** Releases what is there, as `npm run version` does, but without the network. */
function release(): void {
  run(['npx', 'changeset', 'version'])
  run(['node', 'scripts/release/version.ts'])
  copy.commit()
}

beforeAll(release, 5 * MINUTE)

const revisions = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'))

describe.each(revisions)('%s', (revision) => {
  it('is followed by one command', { timeout: 5 * MINUTE }, () => {
    const before = generated()
    copyFileSync(join(FOLDER, revision), join(copy.folder, 'openapi.yaml'))
    run(['npm', 'run', '-s', 'generate'])
    const known = new Set([...before, ...generated(), '.generated.json'])
    const changed = copy.git('status', '--porcelain', '-uall').split('\n').filter(Boolean)
    const byHand = changed.map((line) => line.slice(3)).filter((file) => !known.has(file))
    expect(byHand).toEqual(['openapi.yaml'])
  })

  it.each(COMPILERS)('compiles in %s', { timeout: 5 * MINUTE }, (language, command) => {
    run(command, join('sdks', language))
  })

  if (process.env.MODE === 'soak' && TESTED.includes(revision)) {
    it('builds', { timeout: 15 * MINUTE }, () => {
      run(['npm', 'run', '-s', 'build'])
    })

    it.each(SUITES)('passes the tests of %s', { timeout: 30 * MINUTE }, (language, command) => {
      run(command, join('sdks', language))
    })
  }

  it('is said to users', { timeout: 5 * MINUTE }, () => {
    run(['npm', 'run', '-s', 'surface'])
    const { output: report } = copy.run('npm', ['run', '-s', 'contract:diff'])
    // Nobody edits an SDK by hand here, so that the contract explains all that changes in their surfaces.
    expect(report).not.toContain('[generator]')
    run(['npm', 'run', '-s', 'contract:change'])
    run(['npm', 'run', '-s', 'contract:change', '--', '--check'])
    const said = [
      fenced('npm run contract:diff', report),
      ...added('.changeset').map((file) => fenced(file, read(file))),
      ...added('upgrades').map((file) => fenced(file, outlined(read(file)))),
      ...SURFACE_FILES.map((file) => fenced(file, changed(file))),
      `# docs/upgrading.md\n\n${unreleased()}`,
    ].join('\n')
    // The version that comes before depends on all that the next release has.
    const { version } = JSON.parse(read('sdks/typescript/package.json'))
    const text = `${said.replaceAll(version, 'LAST').trimEnd()}\n`
    const file = join(EXPECTED, `${basename(revision, '.yaml')}.md`)
    if (process.env.UPDATE === '1') writeFileSync(file, text)
    expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '')
  })

  it('is released', { timeout: 5 * MINUTE }, () => {
    release()
    // A mark of what was renamed may go, and the report says so.
    expect(run(['npm', 'run', '-s', 'contract:diff'])).toMatch(
      /^.* → the work tree\n\n(?:.* Remove its x-renamed-from\.\n\n)?Nothing/,
    )
  })
})

/** The files that the generator wrote. */
function generated(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(copy.folder, '.generated.json'), 'utf8')).files)
}

const read = (file: string) => readFileSync(join(copy.folder, file), 'utf8')

/** The new files of a folder. */
function added(folder: string): string[] {
  const lines = copy.git('status', '--porcelain', '-uall', '--', folder).split('\n')
  return lines.filter((line) => line.startsWith('??')).map((line) => line.slice(3))
}

/** What the upgrade guide says of what is not released. */
function unreleased(): string {
  const sections = read('docs/upgrading.md').split(/^(?=## )/m)
  return sections.find((section) => section.startsWith('## Unreleased')) ?? ''
}

/** The lines that a file lost and gained. */
function changed(file: string): string {
  const lines = copy.git('diff', '-U0', '--', file).split('\n')
  return lines.filter((line) => /^[+-](?![+-])/.test(line)).join('\n')
}

/** What rules are for, without how they find it. */
function outlined(rules: string): string {
  return rules
    .split('\n')
    .filter((line) => /^(?:id|message|fix):/.test(line))
    .join('\n')
}

/** A file as a code block, of a language that its path names. */
function fenced(path: string, text: string): string {
  const { fence = '' } = LANGUAGES.find(({ name }) => path.includes(name)) ?? {}
  return `# ${path}\n\n\`\`\`${fence}\n${text.trimEnd()}\n\`\`\`\n`
}
