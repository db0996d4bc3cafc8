import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatPython } from '../../emit/python/format.ts'
import { tool } from '../../toolchain/languages/python.ts'
import { filesOf } from '../support.ts'
import { complaintsOf } from './complaints.ts'

/** The files that depend on the document. The others are the same in all cases, as in sdks/python. */
export const KEPT =
  /^src\/\w+\/_generated\/(?:client|contract|events|problem|samples|signature|types|resources\/(?!__init__)\w+)\.py$/

const LOAD = fileURLToPath(new URL('load.py', import.meta.url))

/** Lints packages, checks their format and types, and loads them. Resolves to the faults. */
export async function check(packages: readonly string[]): Promise<string[]> {
  const [first = ''] = packages
  const sources = packages.map((folder) => join(folder, 'src'))
  const cwd = mkdtempSync(join(tmpdir(), 'python-'))
  gather(packages, cwd)
  try {
    const complaints = await Promise.all([
      complaintsOf(tool('ruff'), ['check', '--no-cache', '--output-format=concise', ...sources]),
      complaintsOf(tool('ruff'), ['format', '--no-cache', '--check', ...sources]),
      complaintsOf(tool('mypy'), ['--config-file', join(first, 'pyproject.toml'), '.'], { cwd }),
      complaintsOf(tool('python', 'oldest'), ['-W', 'error', LOAD], { cwd }),
    ])
    return complaints.flat()
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** Puts all packages into one folder, each under a different name, so that a program runs once. */
export function gather(packages: readonly string[], folder: string): void {
  for (const path of packages) {
    const [marker = ''] = filesOf(join(path, 'src'), /py\.typed$/).keys()
    const name = basename(dirname(path)).replace(/\W/g, '_')
    symlinkSync(join(path, 'src', dirname(marker)), join(folder, name), 'dir')
  }
}

/** What code becomes where ruff formats it. */
export function layOut(blocks: readonly string[]): string[] {
  const files = blocks.map((content, index) => ({ path: `${index}.py`, content }))
  return formatPython(files).map(({ content }) => content.trimEnd())
}
