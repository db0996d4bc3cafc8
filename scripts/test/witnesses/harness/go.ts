import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { programs as tools } from '../../../toolchain/languages/go.ts'
import { complaintsOfGo } from '../../compile/go.ts'
import type { Complaints, Programs, Run, Surroundings } from './language.ts'
import { play } from './process.ts'

export const extension = 'go'

const RUNNER = fileURLToPath(new URL('runners/run.go', import.meta.url))

export async function check(programs: Programs): Promise<Map<string, Complaints>> {
  const { folder, packages } = gather(programs)
  const lines = await complaintsOfGo(['vet', './callers/...'], folder)
  const found = new Map<string, Complaints>()
  for (const [kind, name] of packages) {
    const errors = lines.filter((line) => line.includes(`callers/${name}/`))
    found.set(kind, { errors, warnings: [] })
  }
  return found
}

export async function run(
  programs: Programs,
  surroundings: Surroundings,
): Promise<Map<string, Run>> {
  const { folder, packages } = gather(programs)
  const imports = [...packages.values()].map((name) => `\t${name} "witnesses/callers/${name}"\n`)
  const entries = [...packages].map(([kind, name]) => {
    const [, entry] =
      /^func (Call|Handle)\(/m.exec(readFileSync(programs.files.get(kind) ?? '', 'utf8')) ?? []
    return `\t${JSON.stringify(kind)}: ${name}.${entry},\n`
  })
  cpSync(RUNNER, join(folder, 'run.go'))
  writeFileSync(
    join(folder, 'programs.go'),
    `package main\n\nimport (\n${imports.join('')})\n\nvar programs = map[string]any{\n${entries.join('')}}\n`,
  )
  await promisify(execFile)(tools.go, ['build', '-trimpath', '-o', 'run', '.'], { cwd: folder })
  return play(join(folder, 'run'), [], surroundings)
}

/** One module of all programs, each in a package. */
function gather({ package: source, files }: Programs) {
  const folder = mkdtempSync(join(source, '..', 'programs-'))
  const packages = new Map<string, string>()
  for (const [kind, file] of files) {
    const name = kind.replaceAll('-', '')
    mkdirSync(join(folder, 'callers', name), { recursive: true })
    cpSync(file, join(folder, 'callers', name, 'caller.go'))
    packages.set(kind, name)
  }
  const replaced = relative(folder, source)
  writeFileSync(
    join(folder, 'go.mod'),
    `module witnesses\n\ngo 1.24\n\nrequire example.com/shop v0.0.0\n\nreplace example.com/shop => ${replaced}\n`,
  )
  return { folder, packages }
}
