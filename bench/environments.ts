// Python packages as users get them: each in a fresh environment, with its own requirements alone.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs, pythons } from '../scripts/toolchain/languages/python.ts'

const folder = join(import.meta.dirname, 'python')
const ours = join(import.meta.dirname, '../sdks/python')
const environments = mkdtempSync(join(tmpdir(), 'bench-python-'))
process.on('exit', () => rmSync(environments, { recursive: true, force: true }))

/** The requirement of a package, with its version. */
function pinned(name: string): string {
  const lines = readFileSync(join(folder, 'requirements.in'), 'utf8').split('\n')
  const line = lines.find((line) => line.startsWith(`${name}==`))
  if (!line) throw new Error(`requirements.in does not pin ${name}`)
  return line
}

function uv(...args: string[]): void {
  execFileSync(programs.uv, ['--quiet', ...args], { cwd: folder, stdio: 'inherit' })
}

/** Makes an environment that holds some packages. @returns its interpreter */
export function environmentOf(...names: string[]): string {
  const folder = join(environments, names.join('-'))
  const python = join(folder, 'bin/python')
  uv('venv', '--python', pythons.newest, folder)
  const install = ['pip', 'install', '--python', python, '--compile-bytecode']
  const others = names.filter((name) => name !== 'support-chat')
  const needed = others.length < names.length ? [...others, 'httpx2', 'hatchling'] : others
  uv(...install, '--require-hashes', '--constraints', 'requirements.txt', ...needed.map(pinned))
  if (others.length < names.length) uv(...install, '--no-deps', '--no-build-isolation', ours)
  return python
}
