// Python packages as users get them: each in a fresh environment, with its own requirements alone.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs, pythons } from '../scripts/toolchain/programs.ts'

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

/** Makes an environment that holds a package. @returns its interpreter */
export function environmentOf(name: string): string {
  const python = join(environments, name, 'bin/python')
  uv('venv', '--python', pythons.newest, join(environments, name))
  const install = ['pip', 'install', '--python', python, '--compile-bytecode']
  const locked = [...install, '--require-hashes', '--constraints', 'requirements.txt']
  if (name !== 'support-chat') {
    uv(...locked, pinned(name))
  } else {
    uv(...locked, pinned('httpx2'), pinned('hatchling'))
    uv(...install, '--no-deps', '--no-build-isolation', ours)
  }
  return python
}
