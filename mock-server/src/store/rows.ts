import type { Sandbox } from './types.ts'

export interface SandboxRow {
  id: number
  clock_offset: number
  generation: number
  notes?: boolean
}

export function sandboxOf({ id, clock_offset, generation, notes }: SandboxRow): Sandbox {
  return { id, offset: clock_offset, generation, ...(notes && { hasNotes: true }) }
}
