import { isRemote } from '../contract/remote.ts'
import { InputError } from './inputs.ts'

/** @throws {InputError} for contracts that nobody can edit */
export function checkWatched(contracts: readonly string[]): void {
  if (contracts.length === 0) {
    throw new InputError(
      '--watch has nothing to watch: the contract of this package does not change. Name a file with --contract FILE.',
    )
  }
  if (contracts.some(isRemote)) {
    throw new InputError(
      '--watch follows files only. Save a copy of the document, and name the file.',
    )
  }
}
