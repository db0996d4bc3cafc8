import type { Doc, Field } from '../../model/types.ts'

/** The remark on a method that is a preview in a stable API. */
export const PREVIEW = 'This is a preview: its shapes may still change.'

const DIRECTIONS = { both: null, read: 'Read-only.', write: 'Write-only.' } as const

/** The remark on a field that only requests or only responses have. */
export function directionText({ direction }: Pick<Field, 'direction'>): string | null {
  return DIRECTIONS[direction]
}

/** The remark on a part of the API that is assumed. */
export function assumptionText({ assumed }: Pick<Doc, 'assumed'>): string | null {
  return assumed && `Assumption: ${assumed}`
}
