import type { Report } from './summary.ts'

/** The report for programs. */
export function toJson({ base, target, changes, remarks, summary }: Report): string {
  return `${JSON.stringify({ base, target, changes, remarks, summary }, null, 2)}\n`
}
