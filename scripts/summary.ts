import type { Plan } from './emit/core/manifest.ts'
import { LANGUAGES } from './languages.ts'

/** What a run has done, in a line for each language, and what to run next; one line if it is nothing. */
export function summaryOf(plan: Plan, out: string | null): string[] {
  const paths = [...plan.files.keys()]
  const written = new Set(plan.write.map(({ path }) => path))
  if (written.size + plan.remove.length === 0) {
    return [`Nothing to do: ${paths.length} files are up to date.`]
  }
  const groups = [...LANGUAGES.map(({ title }) => title), 'Documents']
  const groupOf = (path: string) =>
    LANGUAGES.find(({ name }) => path.startsWith(`${out === null ? 'sdks/' : ''}${name}/`))
      ?.title ?? 'Documents'
  const width = Math.max(...groups.map((group) => group.length)) + 1
  const lines = groups.flatMap((group) => {
    const own = paths.filter((path) => groupOf(path) === group)
    const removed = plan.remove.filter((path) => groupOf(path) === group).length
    if (own.length + removed === 0) return []
    const changed = own.filter((path) => written.has(path)).length
    const counts = `${changed} written, ${removed} removed, ${own.length - changed} unchanged`
    return [`${`${group}:`.padEnd(width)} ${counts}`]
  })
  return [...lines, next(out)]
}

function next(out: string | null): string {
  return out === null
    ? 'Next: read `git diff`, then run `npm run build && npm run surface && npm test`.'
    : `Next: build the packages in ${out}; their README.md files say how.`
}
