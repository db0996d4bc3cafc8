/**
 * Runs a program of another language in the current folder: `node run.ts go vet ./...`. `python`
 * is the newest interpreter at hand, `python-oldest` the oldest; likewise the tools of Python.
 */
import { spawnSync } from 'node:child_process'
import { type Age, tool } from './environment.ts'
import { MissingProgram, type ProgramName, programs, pythons } from './programs.ts'

const PYTHON_TOOLS = ['mypy', 'pytest', 'ruff']

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
  if (name in programs) return programs[name as ProgramName]
  const age: Age = name.endsWith('-oldest') ? 'oldest' : 'newest'
  const python = name.replace(/-oldest$/, '')
  if (python === 'python') return pythons[age]
  if (PYTHON_TOOLS.includes(python)) return tool(python, age)
  const known = [...Object.keys(programs), 'python', ...PYTHON_TOOLS]
  throw new MissingProgram(`There is no program ${name}, only ${known.join(', ')}.`)
}
