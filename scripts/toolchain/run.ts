/**
 * Runs a program of another language in the current folder: `node run.ts go vet ./...`. `python`
 * is the newest interpreter at hand, `python-oldest` the oldest; likewise the tools of Python.
 */
import { spawnSync } from 'node:child_process'
import * as chromium from './chromium.ts'
import { MissingProgram } from './find.ts'
import { type Toolchain, toolchains } from './languages.ts'

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
  const all = [...toolchains.values(), chromium].map(
    ({ programs }): Toolchain['programs'] => programs,
  )
  const path = all.find((programs) => Object.hasOwn(programs, name))?.[name]
  if (path !== undefined) return path
  const known = all.flatMap((programs) => Object.keys(programs))
  throw new MissingProgram(`There is no program ${name}, only ${known.join(', ')}.`)
}
