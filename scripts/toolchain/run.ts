/**
 * Runs a program of another language in the current folder: `node run.ts go vet ./...`. `python`
 * is the newest interpreter at hand, `python-oldest` the oldest.
 */
import { spawnSync } from 'node:child_process'
import { MissingProgram, type ProgramName, programs, pythons } from './programs.ts'

const [name = '', ...args] = process.argv.slice(2)
try {
  const { error, status } = spawnSync(find(name), args, { stdio: 'inherit' })
  if (error) throw error
  process.exitCode = status ?? 1
} catch (error) {
  if (!(error instanceof MissingProgram)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function find(name: string): string {
  if (name === 'python') return pythons.newest
  if (name === 'python-oldest') return pythons.oldest
  if (name in programs) return programs[name as ProgramName]
  const known = [...Object.keys(programs), 'python', 'python-oldest']
  throw new MissingProgram(`There is no program ${name}, only ${known.join(', ')}.`)
}
