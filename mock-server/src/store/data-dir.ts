/** The folder that a mock server keeps its data in. */
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './types.ts'

/**
 * The path of the file in a folder. Both are made where they are missing, for this user alone: the file
 * holds the secrets of endpoints.
 *
 * @throws {StoreError} where the folder cannot be made or written.
 */
export function dataFile(folder: string): string {
  const file = join(folder, 'mock.db')
  try {
    // A folder that was there may be shared, or a project's own: it is left as it is.
    const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
    if (isNew) writeFileSync(join(folder, '.gitignore'), '*\n')
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    return file
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StoreError(
      `The folder ${folder} cannot be written (${code}). Name another one with --data-dir, or start with --memory.`,
      { cause: error },
    )
  }
}
