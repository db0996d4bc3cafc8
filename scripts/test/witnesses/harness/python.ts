import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tool } from '../../../toolchain/languages/python.ts'
import { complaintsOf } from '../../compile/complaints.ts'
import type { Complaints, Programs, Run, Surroundings } from './language.ts'
import { play } from './process.ts'

export const extension = 'py'

const RUNNER = fileURLToPath(new URL('runners/run.py', import.meta.url))

export async function check(programs: Programs): Promise<Map<string, Complaints>> {
  const { folder, modules } = gather(programs)
  const config = join(programs.package, 'pyproject.toml')
  const lines = await complaintsOf(
    tool('mypy'),
    [
      '--config-file',
      config,
      '--cache-dir',
      join(programs.package, '../../../../.mypy_cache'),
      '--enable-error-code',
      'deprecated',
      '--show-error-codes',
      'callers',
    ],
    { cwd: folder, env: { ...process.env, MYPYPATH: join(programs.package, 'src') } },
  )
  const found = new Map<string, Complaints>()
  for (const [kind, module] of modules) {
    const own = lines.filter((line) => line.startsWith(`callers/${module}.py:`))
    const errors = own.filter((line) => / error: /.test(line) && !line.endsWith('[deprecated]'))
    const warnings = own.filter((line) => line.endsWith('[deprecated]'))
    found.set(kind, { errors, warnings })
  }
  const others = lines.filter((line) => / error: /.test(line) && !line.startsWith('callers/'))
  if (others.length > 0) throw new Error(others.join('\n'))
  return found
}

export function run(programs: Programs, surroundings: Surroundings): Promise<Map<string, Run>> {
  const { folder, modules } = gather(programs)
  const input = { ...surroundings, programs: Object.fromEntries(modules) }
  const PYTHONPATH = [join(programs.package, 'src'), folder].join(':')
  return play(tool('python'), [RUNNER], input, { PYTHONPATH })
}

/** Puts the programs into one package, under names that Python can import. */
function gather({ package: folder, files }: Programs) {
  const target = mkdtempSync(join(folder, 'programs-'))
  mkdirSync(join(target, 'callers'))
  const modules = new Map<string, string>()
  for (const [kind, file] of files) {
    const module = kind.replaceAll('-', '_')
    cpSync(file, join(target, 'callers', `${module}.py`))
    modules.set(kind, module)
  }
  return { folder: target, modules }
}
