/** The programs that check the Python SDK, from an environment that holds what its lock file says. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer } from './find.ts'
import { MissingProgram, programs, pythons } from './programs.ts'

const SDK = fileURLToPath(new URL('../../sdks/python', import.meta.url))
const LOCK = join(SDK, 'requirements-dev.txt')
const BIN = process.platform === 'win32' ? 'Scripts' : 'bin'

/** Which interpreter runs a program. */
export type Age = keyof typeof pythons

const provided = new Map<Age, string>()

/** A program of an environment, which is made where it is missing and mended where it is stale. */
export function tool(name: string, age: Age = 'newest'): string {
  const folder = provided.get(age) ?? provide(pythons[age])
  provided.set(age, folder)
  return join(folder, BIN, name)
}

function provide(python: string): string {
  const version = answer(python, ['--version'])?.replace('Python ', '') ?? ''
  const folder = join(SDK, '.venv', version)
  if (!existsSync(folder)) uv(['venv', '--allow-existing', '--python', python, folder])
  uv(['pip', 'sync', '--require-hashes', '--python', join(folder, BIN, 'python'), LOCK])
  return folder
}

function uv(args: readonly string[]): void {
  const { status, stderr } = spawnSync(programs.uv, ['--quiet', ...args], { encoding: 'utf8' })
  if (status !== 0) throw new MissingProgram(`uv ${args.join(' ')} failed:\n${stderr}`)
}
