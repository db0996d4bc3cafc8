import type { Doc, Field } from '../../model/types.ts'

/** What the comment of a method says whose API is stable while the method is not. */
export const PREVIEW = 'This is a preview: its shapes may still change.'

const DIRECTIONS = { both: null, read: 'Read-only.', write: 'Write-only.' } as const

/** What the comment of a field says about its direction. */
export function directionText({ direction }: Pick<Field, 'direction'>): string | null {
  return DIRECTIONS[direction]
}

/** That a part of the API rests on a guess. */
export function assumptionText({ assumed }: Pick<Doc, 'assumed'>): string | null {
  return assumed && `Assumption: ${assumed}`
}
