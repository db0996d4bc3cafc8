import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the programs that we install. */
export const INSTALLED = fileURLToPath(new URL('../../toolchains/installed', import.meta.url))

/** A program that is not on this machine; the message says how to get it. */
export class MissingProgram extends Error {
  override name = 'MissingProgram'
}

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
 * The programs that print a version that is new enough. The shims of version managers print none if
 * no version is installed.
 */
export function atLeast(
  least: string,
  paths: readonly string[],
  versionArgs: readonly string[],
): Program[] {
  return paths.flatMap((path) => {
    const version = /\d+(?:\.\d+)+/.exec(output(path, versionArgs) ?? '')?.[0]
    return version !== undefined && compareVersions(version, least) >= 0 ? [{ path, version }] : []
  })
}

/** The first that is new enough. */
export function one(
  least: string,
  paths: readonly string[],
  versionArgs: readonly string[],
  cure: string,
): Program {
  const [program] = atLeast(least, paths, versionArgs)
  if (!program) throw new MissingProgram(cure)
  return program
}

/** The first, of any version. */
export function anyOf([path]: readonly string[], cure: string): string {
  if (path === undefined) throw new MissingProgram(cure)
  return path
}

/** Delays a search until its first use. */
export function once<T>(find: () => T): () => T {
  let value: { is: T } | undefined
  return () => {
    value ??= { is: find() }
    return value.is
  }
}

/** What a program prints, without the last line end; null where it fails. */
export function output(path: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(path, args, { encoding: 'utf8', timeout: 30_000 })
  return status === 0 ? stdout.trim() : null
}

export function compareVersions(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
