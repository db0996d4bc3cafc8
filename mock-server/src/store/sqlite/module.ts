/** `node:sqlite`, without the warning of Node.js 22 that it is experimental there. */
import type * as sqlite from 'node:sqlite'

export const { DatabaseSync } = quietly(() => process.getBuiltinModule('node:sqlite'))
export type Connection = sqlite.DatabaseSync

function quietly<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}
