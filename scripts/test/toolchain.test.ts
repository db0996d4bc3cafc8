import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../repository.ts'
import * as chromium from '../toolchain/chromium.ts'
import { provideRuby } from '../toolchain/debian.ts'
import { atLeast, candidates, compareVersions, MissingProgram, output } from '../toolchain/find.ts'
import { pythons } from '../toolchain/languages/python.ts'
import { toolchains, versions } from '../toolchain/languages.ts'
import { languages } from '../toolchain/matrix.ts'
import { AGES, download, releaseOf } from '../toolchain/pythons.ts'
import { temporaryFolder } from './support.ts'

/** A program that prints a line and ends with a status. */
function program(folder: string, name: string, line: string, status = 0): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho '${line}'\nexit ${status}\n`)
  chmodSync(path, 0o755)
  return path
}

function run(args: string[], env: NodeJS.ProcessEnv) {
  const script = join(ROOT, 'scripts/toolchain/run.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env,
  })
  return { status, stdout, stderr }
}

describe('a program', () => {
  it('is the first that is new enough, and not one that fails', () => {
    const folder = temporaryFolder()
    const old = program(join(folder, 'a'), 'thing', 'thing 3.9.18')
    const standIn = program(join(folder, 'b'), 'thing', 'thing 3.12.0', 1)
    const good = program(join(folder, 'c'), 'thing', 'Thing v3.10.2 (x86)')

    const paths = candidates(
      ['thing'],
      ['a', 'b', 'c'].map((name) => join(folder, name)),
    )

    expect(paths).toEqual([old, standIn, good])
    expect(atLeast('3.10', paths, ['--version'])).toEqual([{ path: good, version: '3.10.2' }])
  })

  it('has versions that are compared as numbers', () => {
    expect(['3.9.18', '3.13.0', '3.10.2'].sort(compareVersions)).toEqual([
      '3.9.18',
      '3.10.2',
      '3.13.0',
    ])
  })

  it.each([
    ['ruby', /^Install Ruby 3\.1 or newer .*apt-get install ruby .*\n$/],
    ['chromium', /^Install Chromium or Chrome 123 or newer.*apt-get install chromium\n$/],
  ])('that is missing (%s) is an error that says what to install', (name, cure) => {
    const { status, stderr } = run([name, '--version'], { PATH: temporaryFolder() })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(cure) })
  })

  it('that is unknown is an error that lists the known ones', () => {
    const { status, stderr } = run(['perl'], process.env)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('no program perl, only uv, python'),
    })
  })

  it('runs in the current folder and hands on its exit code', () => {
    const failing = run(['python', '-c', 'import sys; sys.exit(3)'], process.env)
    expect(failing.status).toBe(3)
  })
})

describe('the programs of this machine', () => {
  it('are all there', () => {
    const paths = [...toolchains.values(), chromium].flatMap(({ programs }) =>
      Object.values(programs),
    )
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !path.startsWith('/') && !/^\w:/.test(path))).toEqual([])
  })

  it('print their versions, of Python the oldest and the newest', () => {
    expect(versions()).toEqual({
      TOOLCHAIN_GO: expect.stringMatching(/^1\.\d+/),
      TOOLCHAIN_PYTHON: expect.stringMatching(/^3\.10\.\d+ 3\.14\.\d+$/),
      TOOLCHAIN_RUBY: expect.stringMatching(/^[3-9]\.\d/),
    })
  })

  it.each(AGES)('have the %s Python that the SDK supports, with its secure sockets', (age) => {
    const program = 'import platform, ssl; print(platform.python_version())'
    expect(output(pythons[age], ['-c', program])).toBe(releaseOf(age))
  })

  it('are refused where they are not those that are pinned', () => {
    const pin = { version: 'v0.0.0-3.14.6-20260610-1', sum: 'h1:other=' }
    expect(() => download(pin)).toThrow(/has the hash h1:\S+, and not h1:other= as in .*pythons/)
    expect(() => download({ ...pin, version: 'v0.0.0-3.9.0-1' })).toThrow(/cannot download/)
  })
})

describe('the releases of `npm run test:matrix`', () => {
  it('begin with the oldest Go that the module names', () => {
    const [, oldest] = /^go (.*)$/m.exec(readFileSync(join(ROOT, 'sdks/go/go.mod'), 'utf8')) ?? []
    expect(languages.go?.GOTOOLCHAIN?.[0]).toMatch(new RegExp(`^go${oldest}(\\.0)?$`))
  })

  it('are a language that is known', () => {
    const script = join(ROOT, 'scripts/toolchain/matrix.ts')
    const { status, stderr } = spawnSync(process.execPath, [script, 'perl'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Usage: node matrix.ts go|ruby\n' })
  })

  it('are those of a suite that Debian has', () => {
    const none = { suite: 'buzz', packages: ['ruby'] }
    expect(() => provideRuby(none)).toThrow(MissingProgram)
  })
})

it('the page of runtimes names every release that the tests run on', () => {
  const page = readFileSync(join(ROOT, 'docs/runtimes.md'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'toolchains/package.json'), 'utf8'))
  const packages = Object.keys(dependencies).flatMap((name) => {
    const [, title, release] = /^(node|typescript)-(.*)$/.exec(name) ?? []
    return title ? [`${title === 'node' ? 'Node.js' : 'TypeScript'} ${release}`] : []
  })
  const minor = (version: string) => /\d+\.\d+/.exec(version)?.[0]
  const others = [
    ...AGES.map((age) => `Python ${minor(releaseOf(age))}`),
    ...(languages.go?.GOTOOLCHAIN ?? []).map((release) => `Go ${minor(release)}`),
  ]
  const [table = ''] = page.split('## Where')
  const named = table.replaceAll(/`[^`]*`|\([^)]*\)/g, '')
  for (const release of [...packages, ...others]) {
    const [title = '', number = ''] = release.split(' ')
    expect(named).toMatch(new RegExp(`${title}[^|]*\\b${number.replace('.', '\\.')}\\b`))
  }
})
