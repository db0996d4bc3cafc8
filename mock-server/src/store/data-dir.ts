/** The folder that a mock server keeps its data in. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StoreError } from './types.ts'

/** The path of the file in a folder. */
export function dataFile(folder: string): string {
  return join(folder, 'mock.db')
}

/**
 * Makes the file and its folder where they are missing, for this user alone: the file holds the secrets of
 * endpoints.
 *
 * @param use Opens the file. If it throws, what was made is removed again.
 * @throws {StoreError} where the folder cannot be made or written.
 */
export function made<T>(file: string, use: () => T): T {
  const folder = dirname(file)
  const missing = missingAbove(folder)
  try {
    make(file, missing)
    return use()
  } catch (error) {
    // A folder that was there may be shared, or a project's own: it is left as it is.
    if (missing.length > 0) remove(file, missing)
    throw error
  }
}

function make(file: string, missing: readonly string[]): void {
  const folder = dirname(file)
  try {
    // One by one: the recursive mkdir of Node.js never ends in /proc.
    for (const one of missing) mkdirSync(one, { mode: 0o700 })
    if (missing.length > 0) writeFileSync(join(folder, '.gitignore'), '*\n')
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      `The folder ${folder} cannot be written (${code}). Name another one with --data-dir, or start with --memory.`,
      { cause: error },
    )
  }
}

/** The folders to make, the topmost first. */
function missingAbove(folder: string): string[] {
  const missing: string[] = []
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at)
  return missing
}

function remove(file: string, folders: readonly string[]): void {
  try {
    for (const name of ['.gitignore', 'mock.db', 'mock.db-wal', 'mock.db-shm']) {
      rmSync(join(dirname(file), name), { force: true })
    }
    for (const folder of [...folders].reverse()) rmdirSync(folder)
  } catch {
    // It was not made, or holds something else by now.
  }
}
