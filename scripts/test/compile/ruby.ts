import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programs } from '../../toolchain/languages/ruby.ts'
import { filesOf } from '../support.ts'
import { complaintsOf } from './complaints.ts'

/** The files that depend on the document. The others are the same in all cases, as in sdks/ruby. */
export const KEPT =
  /^(?:lib\/\w+|sig)\/generated\/(?:types|events|samples|signature|contract|client|resources)(?:\/|\.rbs?$)/

const LOAD = fileURLToPath(new URL('load.rb', import.meta.url))

/** Loads gems with all warnings, lints them and validates their signatures. Resolves to the faults. */
export async function check(packages: readonly string[]): Promise<string[]> {
  const [first = '', ...others] = packages
  // The rest is the same in all of them.
  const decided = others.flatMap((folder) =>
    [...filesOf(folder, KEPT).keys()]
      .filter((path) => path.endsWith('.rb'))
      .map((path) => join(folder, path)),
  )
  const folder = mkdtempSync(join(tmpdir(), 'ruby-'))
  const lint = ['--cache-root', join(folder, 'cache'), '--format', 'emacs', first, ...decided]
  try {
    const complaints = await Promise.all([
      complaintsOf(programs.ruby, ['-w', LOAD, ...packages]),
      complaintsOf(programs.rubocop, lint),
      validate(packages, join(folder, 'sig')),
    ])
    return complaints.flat()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Validates all signatures in one run, each gem's in a separate module: loading Ruby's takes longer. */
function validate(packages: readonly string[], folder: string): Promise<string[]> {
  for (const [index, gem] of packages.entries()) {
    for (const [path, content] of filesOf(gem, /^sig\/.*\.rbs$/)) {
      const file = join(folder, basename(dirname(gem)), path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content.replace(/^module \w+$/m, `module Gem${index}`))
    }
  }
  return complaintsOf(programs.rbs, ['-I', folder, '-r', 'date', 'validate', '--silent'])
}

/** Checks that code can be parsed; nothing here lays it out. */
export function layOut(blocks: readonly string[]): string[] {
  const parse = 'JSON.parse($stdin.read).each { |code| RubyVM::InstructionSequence.compile(code) }'
  execFileSync(programs.ruby, ['-rjson', '-e', parse], { input: JSON.stringify(blocks) })
  return [...blocks]
}
