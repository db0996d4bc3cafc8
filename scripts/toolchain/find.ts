import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A program on this machine. */
export interface Program {
  path: string
  version: string
}

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']

/** Programs of these names, by PATH and then in the given folders. */
export function candidates(names: readonly string[], folders: readonly string[] = []): string[] {
  const searched = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...folders]
  const paths = names.flatMap((name) =>
    searched.flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending))),
  )
  return [...new Set(paths)].filter(isProgram)
}

/**
 * Those that tell a version that is new enough. The stand-ins of version managers tell none where
 * they stand for nothing.
 */
export function atLeast(
  least: string,
  paths: readonly string[],
  ask: readonly string[],
): Program[] {
  return paths.flatMap((path) => {
    const version = /\d+(?:\.\d+)+/.exec(answer(path, ask) ?? '')?.[0]
    return version !== undefined && compareVersions(version, least) >= 0 ? [{ path, version }] : []
  })
}

/** What a program prints, without the last line end; null where it fails. */
export function answer(path: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(path, args, { encoding: 'utf8', timeout: 30_000 })
  return status === 0 ? stdout.trim() : null
}

export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}

/** Where pyenv keeps the programs of its interpreters. */
export function pyenvFolders(): string[] {
  const root = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv')
  return globSync('versions/*/bin', { cwd: root }).map((folder) => join(root, folder))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
