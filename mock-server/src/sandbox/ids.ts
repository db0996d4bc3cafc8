/** Identifiers in the form of the contract: with the prefix of its examples, as integers or as UUIDs. */

import { isOfType, type Shape } from '../contract/shape.ts'
import { makeId } from '../store/ids.ts'
import type { Sandbox } from '../store/types.ts'

/** Makes the text of an id; the contract's form makes it a number where it is one. */
export type MakeId = (sandbox: Sandbox, number: number) => string

/** More than a sandbox ever makes. */
const MOST = 1e9
const ROUNDS = 1000

/**
 * @param prefix The usual prefix.
 * @param shape The contract's schema of the id.
 * @param example The contract's first example of it.
 */
export function idsOf(prefix: string, shape: Shape | undefined, example: unknown): MakeId {
  const isEvent = prefix === 'evt_'
  const roundOf = ({ generation }: Sandbox) => (isEvent ? generation % ROUNDS : 0)
  if (shape && shape.types.length > 0 && !isOfType(shape, 'text')) {
    return (sandbox, number) =>
      String((sandbox.id * (isEvent ? ROUNDS : 1) + roundOf(sandbox)) * MOST + number)
  }
  if (shape?.schema.format === 'uuid') {
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
    return (sandbox, number) =>
      `${hex(sandbox.id, 8)}-${hex(roundOf(sandbox), 4)}-4000-8000-${hex(number, 12)}`
  }
  const shown = typeof example === 'string' ? (/^[A-Za-z]+_/.exec(example)?.[0] ?? '') : prefix
  return (sandbox, number) => makeId(shown, sandbox, number, isEvent)
}
