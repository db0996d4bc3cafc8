import { spawnSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../languages.ts'
import { releaseOf } from '../release/releases.ts'
import { removedNames, withReserved } from '../release/reserved.ts'
import { VERSION_FILES, versionIn } from '../release/version-files.ts'
import { ROOT } from '../repository.ts'
import { documentOf, revisionOf } from './changes/skeleton.ts'
import { temporaryFolder } from './support.ts'

interface Package {
  name: string
  version: string
  workspaces?: string[]
}

interface Lock {
  packages: Record<string, { version?: string }>
}

describe('the version', () => {
  it('is the same in every file', () => {
    const versions = versionsIn(ROOT)
    expect(VERSION_FILES).toHaveLength(LANGUAGES.length)
    expect(Object.keys(versions)).toHaveLength(VERSION_FILES.length + 2 * released(ROOT).length)
    expect(new Set(Object.values(versions)).size, JSON.stringify(versions, null, 2)).toBe(1)
  })

  it('is that of every package that users get', () => {
    const folders = released(ROOT).map(({ folder }) => folder)
    const sdks = LANGUAGES.map(({ name }) => `sdks/${name}`)
    expect(folders.sort()).toEqual([...sdks, 'mock-server'].sort())
  })
})

describe('npm run version', () => {
  it('writes one version to every file and the changes to the changelogs', () => {
    const copy = copyOfRepository()
    // The copy has no lists of what users can name, so that nothing follows from them.
    spawnSync('npm', ['run', '-s', 'contract:change'], { cwd: copy })
    writeFileSync(join(copy, '.changeset/shout.md'), changeset(copy, 'Shout louder.'))

    const { status, stdout, stderr } = npmRunVersion(copy)

    expect(status, stdout + stderr).toBe(0)
    const versions = versionsIn(copy)
    const [version = ''] = Object.values(versions)
    expect(new Set(Object.values(versions)).size, JSON.stringify(versions, null, 2)).toBe(1)
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(version).not.toBe(Object.values(versionsIn(ROOT))[0])
    for (const { folder, name } of released(copy)) {
      const changelog = readFileSync(join(copy, folder, 'CHANGELOG.md'), 'utf8')
      expect(changelog).toMatch(new RegExp(`^# ${name}\n\n## ${version}\n`))
      expect(changelog).toContain('Shout louder.')
    }
  })

  it.each(VERSION_FILES)('changes nothing where $file does not hold a version once', ({ file }) => {
    const copy = copyOfRepository()
    const text = readFileSync(join(copy, file), 'utf8')
    for (const wrong of ['', text + text]) {
      writeFileSync(join(copy, file), wrong)
      const before = VERSION_FILES.map((where) => readFileSync(join(copy, where.file), 'utf8'))

      const script = join(copy, 'scripts/release/version.ts')
      const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })

      expect(status).toBe(1)
      expect(stderr).toContain(`${file} does not hold the version exactly once`)
      expect(VERSION_FILES.map((where) => readFileSync(join(copy, where.file), 'utf8'))).toEqual(
        before,
      )
    }
  })
})

describe('the life of a change', () => {
  const id = { type: 'string' }
  const before = documentOf({ response: { id, sub_total: id } })
  const after = documentOf({ response: { id, net: { ...id, 'x-renamed-from': 'sub_total' } } })

  /** A copy whose contract has a field that is renamed since the last release. */
  function edited(): { copy: string; version: string } {
    const copy = copyOfRepository()
    const version = Object.values(versionsIn(copy))[0] ?? ''
    put(copy, `contracts/${version}.yaml`, before)
    put(copy, 'openapi.yaml', after)
    return { copy, version }
  }

  const command = (cwd: string, name: string, ...args: string[]) =>
    spawnSync('npm', ['run', '-s', name, '--', ...args], { cwd, encoding: 'utf8' })

  it('ends with a release that holds the contract, and with changelogs in each language', () => {
    const { copy, version: old } = edited()
    put(copy, 'docs/upgrading.md', '# Upgrading\n\n## 0.0.9\n\nOld.\n')
    put(copy, 'sdks/ruby/api.rbs', 'class A end\n')
    expect(command(copy, 'contract:change', '--check').status).toBe(1)
    expect(command(copy, 'contract:change').status).toBe(0)
    expect(command(copy, 'contract:change', '--check').status).toBe(0)
    expect(command(copy, 'contract:diff').status).toBe(1)
    const guide = read(copy, 'docs/upgrading.md')
    expect(guide).toMatch(/^# Upgrading\n\n## Unreleased\n.*\n## 0\.0\.9\n\nOld\.\n$/s)

    const { status, stdout, stderr } = npmRunVersion(copy)

    expect(status, stdout + stderr).toBe(0)
    const [version = ''] = Object.values(versionsIn(copy))
    expect(version).not.toBe(old)
    const same = [
      ['openapi.yaml', `contracts/${version}.yaml`],
      ['sdks/behavior.yaml', `contracts/${version}.behavior.yaml`],
      ['sdks/ruby/api.rbs', `contracts/${version}/ruby/api.rbs`],
    ] as const
    for (const [file, kept] of same) expect(read(copy, kept)).toBe(read(copy, file))
    expect(command(copy, 'contract:diff')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^.* → the work tree\n\n.* already had Thing\.sub_total .*\n\nNothing changed\.\n$/,
      ),
    })
    expect(read(copy, 'contracts/reserved.yaml')).toMatch(
      new RegExp(`^# Names .*\\n# .*\\n- name: Thing\\.sub_total\\n  removed: ${version}\\n$`),
    )
    expect(command(copy, 'contract:change', '--check').status).toBe(0)
    expect(globSync('.changeset/contract-since-*', { cwd: copy })).toEqual([])
    expect(read(copy, 'docs/upgrading.md')).toBe(guide.replace('Unreleased', version))
    expect(globSync('upgrades/next/**/*.*', { cwd: copy })).toEqual([])
    const page = read(copy, `upgrades/${version}/README.md`)
    expect(page).toContain(`ast-grep scan --config upgrades/${version}/sgconfig.yml`)
    expect(page).not.toContain('upgrades/next')
    expect(globSync('upgrades/**/*.{md,yml}', { cwd: copy }).sort()).toEqual([
      `upgrades/${version}/README.md`,
      `upgrades/${version}/rules/go.yml`,
      `upgrades/${version}/rules/python.yml`,
      `upgrades/${version}/rules/ruby.yml`,
      `upgrades/${version}/rules/typescript.yml`,
      `upgrades/${version}/sgconfig.yml`,
    ])
    for (const [folder, name] of [
      ['sdks/typescript', '`Thing.sub_total` is now called `Thing.net`.'],
      ['sdks/python', '`Thing.sub_total` is now called `Thing.net`.'],
      ['sdks/ruby', '`Thing#sub_total` is now called `Thing#net`.'],
      ['sdks/go', '`Thing.SubTotal` is now called `Thing.Net`.'],
      ['mock-server', '`Thing.sub_total` is now called `net`.'],
    ] as const) {
      const [, newest = ''] = read(copy, `${folder}/CHANGELOG.md`).split(/^## /m)
      expect(newest).toMatch(new RegExp(`^${version}\n`))
      expect(newest).toContain(`- ${name} `)
    }
  })

  it('moves the rules of the next version to its folder', () => {
    const copy = copyOfRepository()
    put(copy, 'upgrades/next/README.md', 'ast-grep scan --rule upgrades/next/rules/go.yml\n')
    put(copy, 'upgrades/next/rules/go.yml', 'id: rename\n')
    const { write, remove } = releaseOf(copy, '9.9.9')
    expect(remove).toEqual(['upgrades/next/README.md', 'upgrades/next/rules/go.yml'])
    expect(write.get('upgrades/9.9.9/rules/go.yml')).toBe('id: rename\n')
    expect(write.get('upgrades/9.9.9/README.md')).toBe(
      'ast-grep scan --rule upgrades/9.9.9/rules/go.yml\n',
    )
  })

  it.each<[what: string, spoil: (copy: string) => void, status: number, message: string]>([
    ['a changeset is missing', () => {}, 1, 'missing: .changeset/contract-since-'],
    [
      'the guide has two sections for it',
      (copy) => put(copy, 'docs/upgrading.md', '## Unreleased\n\n## Unreleased\n'),
      2,
      'docs/upgrading.md has several sections "Unreleased". Join them.',
    ],
    [
      'there is no policy',
      (copy) => rmSync(join(copy, 'sdks/behavior.yaml')),
      2,
      'There is no sdks/behavior.yaml. Restore it from git.',
    ],
  ])('is no release while %s, and then changes nothing', (_, spoil, status, message) => {
    const { copy } = edited()
    spoil(copy)
    const files = () =>
      globSync('**/*.{md,yaml,json,py,rb,go}', { cwd: copy, exclude: ['node_modules'] })
    const state = () =>
      files()
        .sort()
        .map((path) => [path, read(copy, path)])
    const found = state()
    const outcome = npmRunVersion(copy)
    expect(outcome.stderr).toContain(message)
    expect(outcome.status).toBe(status)
    expect(state()).toEqual(found)
  })

  it('leaves a released contract as it is', () => {
    const { copy, version } = edited()
    const script = join(copy, 'scripts/release/version.ts')
    expect(spawnSync(process.execPath, [script]).status).toBe(0)
    expect(read(copy, `contracts/${version}.yaml`)).toBe(JSON.stringify(before))
  })
})

describe('the names that a release removes', () => {
  const string = { type: 'string' }
  const kind = (...values: string[]) => ({ type: 'string', enum: values })
  const list = (...names: string[]) => names.map((name) => ({ name, schema: string }))

  it('are those of all parts that nothing has any more', async () => {
    const before = await revisionOf(
      documentOf({
        query: list('a', 'b', 'old'),
        response: { id: string, note: string, kind: kind('a', 'b', 'c') },
      }),
    )
    const after = await revisionOf(
      documentOf({
        query: [...list('a', 'b'), { name: 'new', schema: string, 'x-renamed-from': 'old' }],
        response: { id: string, kind: kind('a', 'b') },
        document: { paths: { '/v1/things': { post: { 'x-sdk-method': 'things.make' } } } },
      }),
    )
    expect(removedNames({ before, after }).sort()).toEqual([
      'Thing.note',
      'ThingKind.c',
      'things.create',
      'things.list(old)',
    ])
    expect(removedNames({ before, after: before })).toEqual([])
  })

  it('are added to the list, whose comments stay', () => {
    const list = '# Mine.\n- { name: Thing.old, removed: 0.2.0 } # never again\n'
    expect(withReserved(list, ['things.list(q)'], '1.0.0')).toBe(
      `${list}- name: things.list(q)\n  removed: 1.0.0\n`,
    )
  })
})

/** The packages that share one version. */
function released(root: string): Array<{ folder: string; name: string; version: string }> {
  const { fixed } = readJson<{ fixed: string[][] }>(root, '.changeset/config.json')
  const { workspaces = [] } = readJson<Package>(root, 'package.json')
  return workspaces.flatMap((folder) => {
    const { name, version } = readJson<Package>(root, `${folder}/package.json`)
    return fixed.flat().includes(name) ? [{ folder, name, version }] : []
  })
}

/** The version in each file, by the path of the file. */
function versionsIn(root: string): Record<string, string> {
  const { packages } = readJson<Lock>(root, 'package-lock.json')
  return Object.fromEntries([
    ...VERSION_FILES.map((where) => [
      where.file,
      versionIn(readFileSync(join(root, where.file), 'utf8'), where),
    ]),
    ...released(root).flatMap(({ folder, version }) => [
      [`${folder}/package.json`, version],
      [`package-lock.json, ${folder}`, packages[folder]?.version],
    ]),
  ])
}

/** The files of the repository that `npm run version` needs, in a temporary folder. */
function copyOfRepository(): string {
  const copy = temporaryFolder()
  const { workspaces = [] } = readJson<Package>(ROOT, 'package.json')
  const files = [
    'package.json',
    'package-lock.json',
    '.changeset',
    'openapi.yaml',
    'contracts',
    'sdks/names.yaml',
    'sdks/behavior.yaml',
    'biome.json',
    ...workspaces.map((folder) => `${folder}/package.json`),
    ...VERSION_FILES.map(({ file }) => file),
  ]
  for (const file of files) cpSync(join(ROOT, file), join(copy, file), { recursive: true })
  const material = /\/(?:test|witnesses|node_modules)$/
  const filter = (path: string) => !material.test(path)
  cpSync(join(ROOT, 'scripts'), join(copy, 'scripts'), { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir')
  return copy
}

function changeset(root: string, text: string): string {
  const bumps = released(root).map(({ name }) => `"${name}": minor`)
  return `---\n${bumps.join('\n')}\n---\n\n${text}\n`
}

function npmRunVersion(cwd: string) {
  // Everything is locked: the lock file follows without a registry.
  const env = { ...process.env, npm_config_offline: 'true' }
  return spawnSync('npm', ['run', 'version'], { cwd, env, encoding: 'utf8' })
}

function readJson<Type>(root: string, path: string): Type {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Type
}

function put(root: string, path: string, content: unknown): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')
