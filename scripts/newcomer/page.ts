/** What a page tells a reader of one language to do. */

/** A block of code, as a reader acts on it. */
export type Act =
  /** Lines to type into the first terminal. */
  | { kind: 'type'; script: string }
  /** A command in a terminal of its own, and what it shows. */
  | { kind: 'enter'; command: string; shown: string }
  /** A file to save, and what runs or starts it. */
  | { kind: 'save'; file: string; code: string; use: 'run' | 'started'; command: string }
  /** What some terminal then shows. */
  | { kind: 'see'; shown: string }

export interface Section {
  title: string
  acts: Act[]
}

const NAMED = /^(?:\/\/|#) ([\w.-]+\.\w+), (run|started) with: (.*)\n/
const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm

/**
 * The sections that have something to do, without what is in the tabs of other languages.
 *
 * @param title The language, as tabs have it.
 */
export function readPage(markdown: string, title: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n')
      const blocks = withoutOthers(section, title).matchAll(BLOCK)
      const acts = Array.from(blocks, ([, fence = '', code = '']) => actOf(fence, code))
      return { title: heading, acts }
    })
    .filter(({ acts }) => acts.length > 0)
}

function withoutOthers(section: string, title: string): string {
  return section.replace(/^<!-- tabs -->\n([\s\S]*?)^<!-- \/tabs -->$/gm, (_, tabs: string) => {
    const [, ...parts] = tabs.split(/^\*\*(.+)\*\*$/m)
    const own = parts.indexOf(title)
    if (own === -1) throw new Error(`A section has no tab for ${title}:\n${section}`)
    return parts[own + 1] ?? ''
  })
}

function actOf(fence: string, code: string): Act {
  if (fence === 'sh') return { kind: 'type', script: code }
  if (fence === 'text') return { kind: 'see', shown: code.trim() }
  if (fence === 'console') {
    const [, command = '', shown = ''] = /^\$ (.*)\n([\s\S]*)$/.exec(code) ?? []
    return { kind: 'enter', command, shown: shown.trim() }
  }
  const [, file, use, command] = NAMED.exec(code) ?? []
  if (!(file && use && command)) {
    throw new Error(`The first line of a program has to say its file and its command:\n${code}`)
  }
  return { kind: 'save', file, code, use: use as 'run' | 'started', command }
}

/** What matches a text that a page shows, in lines of its own: `…` stands for anything within a line. */
export function matcher(shown: string): RegExp {
  const escaped = shown.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('…', '.*')}$`, 'm')
}

/** What a program says that it prints, line by line. */
export function printedBy(code: string): string[] {
  return Array.from(code.matchAll(/(?:\/\/|#) => (.*)$/gm), ([, line = '']) => line)
}
