import { existsSync } from 'node:fs'
import { type Location, type Problem, readYaml } from '../yaml/index.ts'
import type { Change } from './types.ts'

/** Why a change may be made although it breaks users, and until when. */
export interface Approval {
  fingerprint: string
  reason: string
  /** The last day on which it holds, as `2027-01-31`. */
  expires: string
}

const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['fingerprint', 'reason', 'expires'],
    properties: {
      fingerprint: {
        type: 'string',
        pattern: '^[0-9a-f]{12}$',
        'x-must-be': 'the 12 hex digits that contract:diff shows, in quotes',
      },
      reason: { type: 'string', minLength: 10 },
      expires: { type: 'string', format: 'date' },
    },
    additionalProperties: false,
  },
}

/** Reads the approvals; there are none without the file. */
export async function loadApprovals(
  file: string,
): Promise<{ approvals: Approval[]; problems: Problem[]; locate(index: number): Location }> {
  const nowhere = { file, line: 1, column: 1 }
  if (!existsSync(file)) return { approvals: [], problems: [], locate: () => nowhere }
  const { value, problems, locate } = await readYaml<Approval[]>(file, SCHEMA)
  return { approvals: value ?? [], problems, locate: (index) => locate(`/${index}`) }
}

export interface Approved {
  changes: Change[]
  /** Approvals that have no effect, each with its cause and its position in the list. */
  idle: Array<{ approval: Approval; index: number; cause: 'expired' | 'unknown' }>
}

/**
 * Marks the changes that are approved.
 *
 * @param today As `2027-01-31`.
 */
export function approve(
  changes: readonly Change[],
  approvals: readonly Approval[],
  today: string,
): Approved {
  const known = new Set(changes.map(({ fingerprint }) => fingerprint))
  const idle: Approved['idle'] = []
  const valid = new Map<string, Approval>()
  for (const [index, approval] of approvals.entries()) {
    if (approval.expires < today) idle.push({ approval, index, cause: 'expired' })
    else if (!known.has(approval.fingerprint)) idle.push({ approval, index, cause: 'unknown' })
    else valid.set(approval.fingerprint, approval)
  }
  const marked = changes.map((change) => {
    const approval = valid.get(change.fingerprint)
    if (!approval) return change
    return { ...change, approved: { reason: approval.reason, expires: approval.expires } }
  })
  return { changes: marked, idle }
}
