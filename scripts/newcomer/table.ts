import type { Step } from './play.ts'

/** The minutes of each section of the page, by languages, in Markdown. */
export function tableOf(times: ReadonlyMap<string, readonly Step[]>): string {
  const [first = []] = times.values()
  const rows = Array.from(times, ([language, steps]) => {
    const all = steps.reduce((sum, { ms }) => sum + ms, 0)
    return row([language, ...steps.map(({ ms }) => minutes(ms)), minutes(all)])
  })
  const header = row(['Language', ...first.map(({ title }) => title), 'All'])
  return [header, row(['---', ...first.map(() => '---:'), '---:']), ...rows].join('')
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** `0:07` */
function minutes(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
