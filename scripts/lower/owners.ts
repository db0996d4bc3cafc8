import { partAt } from '../contract/parts.ts'
import type { Operation } from '../model/types.ts'
import type { Declarations } from './declarations.ts'

/** The operations, the event or the type that cannot be made because of something at a JSON pointer. */
export function ownersAt(
  pointer: string,
  operations: readonly Operation[],
  declarations: Declarations,
): string[] {
  const part = partAt(pointer)
  switch (part?.kind) {
    case 'path':
      return operations
        .filter(({ path, verb }) => path === part.path && (part.verb ?? verb) === verb)
        .map(({ id }) => id)
    case 'webhook':
      return [`webhook ${part.event}`]
    case 'schema':
      return [declarations.idOf(part.key)]
    case undefined:
      return []
  }
}
