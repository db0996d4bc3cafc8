/** The guides, READMEs and examples that the package carries. */
import { readFile } from 'node:fs/promises'
import { DOCS } from '../assets.ts'

export interface Page {
  /** Its path in the repository. */
  path: string
  title: string
  text: string
}

export interface Section {
  path: string
  heading: string
  text: string
}

export async function readPages(): Promise<Page[]> {
  return JSON.parse(await readFile(DOCS, 'utf8'))
}

/** How many sections a search returns, and how much of each. */
const MOST_FOUND = 5
const MOST_TEXT = 1_500

/** The sections that have most of the words, those with the words in their headings first. */
export function search(pages: readonly Page[], query: string): Section[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])]
  const found = pages
    .flatMap(sectionsOf)
    .map((section) => ({ section, score: score(section, words) }))
  return found
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ section: { text, ...section } }) => ({
      ...section,
      text:
        text.length > MOST_TEXT
          ? `${text.slice(0, MOST_TEXT)}… (read the whole page as a resource)`
          : text,
    }))
}

function score({ path, heading, text }: Section, words: readonly string[]): number {
  const [title, body] = [`${path} ${heading}`.toLowerCase(), text.toLowerCase()]
  const each = words.map((word) => (title.includes(word) ? 3 : 0) + (body.includes(word) ? 1 : 0))
  const matched = each.filter((one) => one > 0).length
  return matched * 10 + each.reduce((sum, one) => sum + one, 0)
}

const HEADING = /^#{1,3} (.+)$/
/** The name of a tab stands for a heading, until the tabs end. */
const TAB = /^\*\*([^*]+)\*\*$/
const TABS = { begin: '<!-- tabs -->', end: '<!-- /tabs -->' }

/** A page in sections; code may have lines that look like headings. */
export function sectionsOf({ path, title, text }: Page): Section[] {
  const sections: Section[] = [{ path, heading: title, text: '' }]
  let isCode = false
  /** The heading over the tabs; null outside of them. */
  let over: string | null = null
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = path.endsWith('.md') && !isCode ? HEADING.exec(line)?.[1] : undefined
    const tab = over !== null && !isCode ? TAB.exec(line)?.[1] : undefined
    const started = heading ?? tab
    if (started !== undefined) sections.push({ path, heading: started, text: '' })
    const last = sections.at(-1)
    if (line === TABS.begin) over = last?.heading ?? title
    else if (line === TABS.end) {
      sections.push({ path, heading: over ?? title, text: '' })
      over = null
    } else if (last) last.text += `${line}\n`
  }
  return sections.filter(({ text }) => text.trim() !== '')
}

/** The text under a heading of a page; empty if there is none. */
export function sectionOf(pages: readonly Page[], path: string, heading: string): string {
  const page = pages.find((one) => one.path === path)
  const found =
    page && sectionsOf(page).find((one) => one.heading.toLowerCase() === heading.toLowerCase())
  return found?.text.trim() ?? ''
}
