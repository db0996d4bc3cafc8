import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../languages.ts'
import { VERSION_FILES, versionIn } from '../release/version-files.ts'
import { ROOT } from '../repository.ts'
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
    'scripts/release',
    'scripts/languages.ts',
    'scripts/emit',
    ...workspaces.map((folder) => `${folder}/package.json`),
    ...VERSION_FILES.map(({ file }) => file),
  ]
  for (const file of files) cpSync(join(ROOT, file), join(copy, file), { recursive: true })
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
