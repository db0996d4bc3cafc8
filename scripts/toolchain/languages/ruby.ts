import { ruby } from '../../emit/ruby/language.ts'
import { anyOf, candidates, MissingProgram, once, one, output } from '../find.ts'
import { provideDebian } from '../provide.ts'

const { cure, debian } = ruby.toolchain

const found = once(() => one('3.1', candidates(['ruby']), ['--version'], cure))

/** Absolute paths. */
export const programs = {
  get ruby() {
    return found().path
  },
  get gem() {
    return anyOf(candidates(['gem']), cure)
  },
  get rake() {
    return anyOf(candidates(['rake']), cure)
  },
  get rubocop() {
    return anyOf(candidates(['rubocop']), cure)
  },
  /** Debian names it after the version of Ruby. */
  get rbs() {
    return anyOf(candidates(['rbs', 'rbs3.1', 'rbs3.3']), cure)
  },
}

export function version(): string {
  return found().version
}

export function provide(): void {
  provideDebian(debian, check)
}

function check(): void {
  const gems = [
    'minitest',
    'webmock',
    'rack',
    'sinatra/base',
    'action_controller/railtie',
    'webrick',
    'puma',
    'oj',
    'redis',
    'pg',
    'sqlite3',
    'active_record',
  ].map((gem) => `require ${JSON.stringify(gem)}`)
  const loaded = output(programs.ruby, ['-e', gems.join(';')])
  if (loaded === null) throw new MissingProgram(cure)
  for (const name of ['gem', 'rake', 'rubocop', 'rbs'] as const) programs[name]
}
