/**
 * The programs of the other languages. Each is looked for when it is needed first; where it is
 * missing, an error says what to do.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, atLeast, candidates, compareVersions, type Program, pyenvFolders } from './find.ts'

/** Where `install.ts` puts what it brings. */
export const INSTALLED = fileURLToPath(new URL('../../toolchains/installed', import.meta.url))

/** A program that is not on this machine; the message says how to get it. */
export class MissingProgram extends Error {
  override name = 'MissingProgram'
}

/** Debian's packages of Ruby and of what its tests need. */
export const RUBY_PACKAGES = [
  'ruby',
  'rake',
  'ruby-minitest',
  'ruby-webmock',
  'ruby-rack',
  'ruby-sinatra',
  'puma',
  'rubocop',
]

/** Debian's package of the browser that the mock server's pages are tested in. */
export const CHROMIUM_PACKAGES = ['chromium']

const NO_GO = 'Install Go 1.24 or newer, and have go on the PATH.'
const NO_UV = 'Install Python 3.10 or newer with pip, or uv, and have it on the PATH.'
const NO_PYTHON = 'Install Python 3.10 or newer, and have python3 on the PATH.'
export const NO_RUBY = `Install Ruby 3.1 or newer with the gems rake, minitest, webmock, rack, sinatra, puma, rubocop and rbs; on Debian: apt-get install ${RUBY_PACKAGES.join(' ')}`

const NO_CHROMIUM = `Install Chromium or Chrome 123 or newer, and have it on the PATH; on Debian: apt-get install ${CHROMIUM_PACKAGES.join(' ')}`

const found = {
  // From 1.21 on Go brings a newer release by itself where a module needs one.
  go: once(() => one('1.21', candidates(['go'], ['/usr/local/go/bin']), ['version'], NO_GO)),
  uv: once(() => one('0.5', candidates(['uv'], [join(INSTALLED, 'uv/bin')]), ['--version'], NO_UV)),
  ruby: once(() => one('3.1', candidates(['ruby']), ['--version'], NO_RUBY)),
  chromium: once(() => {
    const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    return one('123', candidates(names), ['--version'], NO_CHROMIUM)
  }),
  pythons: once(() => {
    const minors = [10, 11, 12, 13, 14, 15].map((minor) => `python3.${minor}`)
    const paths = candidates(['python3', ...minors], pyenvFolders())
    const all = atLeast('3.10', paths, ['--version'])
    if (all.length === 0) throw new MissingProgram(NO_PYTHON)
    return all.sort((left, right) => compareVersions(left.version, right.version))
  }),
}

/** Absolute paths. */
export const programs = {
  get go() {
    return found.go().path
  },
  get gofmt() {
    const root = answer(programs.go, ['env', 'GOROOT']) ?? ''
    return anyOf(candidates(['gofmt'], [join(root, 'bin')]), NO_GO)
  },
  get uv() {
    return found.uv().path
  },
  get ruby() {
    return found.ruby().path
  },
  get chromium() {
    return found.chromium().path
  },
  get gem() {
    return anyOf(candidates(['gem']), NO_RUBY)
  },
  get rake() {
    return anyOf(candidates(['rake']), NO_RUBY)
  },
  get rubocop() {
    return anyOf(candidates(['rubocop']), NO_RUBY)
  },
  /** Debian names it after the version of Ruby. */
  get rbs() {
    return anyOf(candidates(['rbs', 'rbs3.1', 'rbs3.3']), NO_RUBY)
  },
} as const

export type ProgramName = keyof typeof programs

/** The interpreters to test with, both the same where there is only one. */
export const pythons = {
  get oldest() {
    return found.pythons()[0]?.path ?? ''
  },
  get newest() {
    return found.pythons().at(-1)?.path ?? ''
  },
}

/** What tells one set of programs from another, by language. */
export function versions(): Readonly<Record<'go' | 'python' | 'ruby', string>> {
  const all = found.pythons()
  return {
    go: found.go().version,
    python: [all[0]?.version, all.at(-1)?.version].join(' '),
    ruby: found.ruby().version,
  }
}

function one(
  least: string,
  paths: readonly string[],
  ask: readonly string[],
  cure: string,
): Program {
  const [program] = atLeast(least, paths, ask)
  if (!program) throw new MissingProgram(cure)
  return program
}

function anyOf([path]: readonly string[], cure: string): string {
  if (path === undefined) throw new MissingProgram(cure)
  return path
}

function once<T>(find: () => T): () => T {
  let value: { is: T } | undefined
  return () => {
    value ??= { is: find() }
    return value.is
  }
}
