import { keysOf } from '../../contract/json.ts'
import { saySame } from './match.ts'
import type { Side } from './side.ts'
import type { Types } from './types.ts'

/** What was an assumption and is published now, and the reverse. */
export function compareAssumptions({ before, after, findings }: Types): void {
  const add = (kind: string, pointer: string, side: Side, users: readonly string[]) =>
    findings.add({
      kind,
      key: pointer,
      before: before.at(pointer) === undefined ? null : pointer,
      after: after.at(pointer) === undefined ? null : pointer,
      subject: { of: 'other', name: subjectOf(pointer) },
      named: side === before ? 'before' : 'after',
      users,
    })
  const [old, now] = [marksOf(before), marksOf(after)]
  for (const [pointer, users] of old) {
    if (now.has(pointer) || after.isAssumed(pointer) || isToldElsewhere(pointer)) continue
    const [was, is] = [before.at(pointer), after.at(pointer)]
    if (is === undefined) continue
    const kind = saySame(was, is) ? 'assumption-confirmed' : 'assumption-corrected'
    add(kind, pointer, before, users)
  }
  for (const [pointer, users] of now) {
    const isNew = before.at(pointer) === undefined
    if (old.has(pointer) || before.isAssumed(pointer) || isNew) continue
    add('assumption-added', pointer, after, users)
  }
}

function marksOf({ api }: Side): Map<string, readonly string[]> {
  return new Map(api.assumptions.map(({ pointer, shows }) => [pointer, shows]))
}

/** Kinds of their own say it. */
function isToldElsewhere(pointer: string): boolean {
  return /\/x-idempotency$|^\/x-webhook-signature\//.test(pointer)
}

/** The last names of a pointer: `GET /v1/orders parameters 0`, or the name of a shared schema. */
function subjectOf(pointer: string): string {
  const [root, ...keys] = keysOf(pointer)
  if (root === 'components') return keys.slice(1).join('.')
  if (root !== 'paths') return [root, ...keys].join('.')
  const [path, verb, ...rest] = keys
  return [verb?.toUpperCase(), path, ...rest].filter(Boolean).join(' ')
}
