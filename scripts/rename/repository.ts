import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of a repository that git tracks or would track, by their paths; sorted. */
export function filesIn(root: string): string[] {
  if (isRepository(root)) return listed(root, ['ls-files', '-z', '-co', '--exclude-standard'])
  // A copy without its history: another one, elsewhere, finds what is not ignored.
  const folder = mkdtempSync(join(tmpdir(), 'files-'))
  try {
    git(folder, ['init', '-q'])
    const at = [`--git-dir=${join(folder, '.git')}`, `--work-tree=${root}`]
    return listed(root, [...at, 'ls-files', '-z', '-o', '--exclude-standard'])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What is not committed, apart from one file. Null outside of a repository. */
export function changesIn(root: string, apart: string): string[] | null {
  if (!isRepository(root)) return null
  const entries = git(root, ['status', '--porcelain', '-z', '--no-renames']).split('\0')
  return entries.map((entry) => entry.slice(3)).filter((path) => path !== '' && path !== apart)
}

function isRepository(root: string): boolean {
  try {
    return git(root, ['rev-parse', '--show-prefix']).trim() === ''
  } catch {
    return false
  }
}

function listed(root: string, args: readonly string[]): string[] {
  return [...new Set(git(root, args).split('\0').filter(Boolean))].sort()
}

/** What git prints. @throws Error where it fails. */
export function git(cwd: string, args: readonly string[]): string {
  const maxBuffer = 1 << 28
  return execFileSync('git', args, {
    ...{ cwd, maxBuffer, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
