import type { Contract } from '../contract/load.ts'
import { partAt } from '../contract/parts.ts'
import type { Api, Refusal } from '../model/types.ts'
import { pascal, words } from '../model/words.ts'
import type { Problem } from '../yaml/index.ts'

/** What languages refuse, as problems of the document. */
export function problemsOf(refusals: readonly Refusal[], contract: Contract): Problem[] {
  return refusals.map(({ pointer, message, fix }) => ({
    severity: 'unsupported',
    location: contract.locations.find(contract.document, pointer),
    message,
    fix,
  }))
}

/** The operations, events and types that cannot be made because of something at JSON pointers. */
export function ownersAt(
  pointers: readonly string[],
  api: Pick<Api, 'operations' | 'decls'>,
): string[] {
  return pointers.flatMap((pointer) => ownersOf(pointer, api))
}

function ownersOf(pointer: string, { operations, decls }: Pick<Api, 'operations' | 'decls'>) {
  const part = partAt(pointer)
  switch (part?.kind) {
    case 'path':
      return operations
        .filter(({ path, verb }) => path === part.path && (part.verb ?? verb) === verb)
        .map(({ id }) => id)
    case 'webhook':
      return [`webhook ${part.event}`]
    case 'schema': {
      const schema = `/${pointer.replace(/^#?\//, '').split('/').slice(0, 3).join('/')}`
      const declared = decls.find((decl) => decl.pointer === schema)
      return [declared?.id ?? pascal(words(part.key))]
    }
    case undefined:
      return []
  }
}
