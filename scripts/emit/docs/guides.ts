import type { Language } from '../core/language.ts'
import { tabs } from './code.ts'

/** What the guides are made of. */
export interface Guides {
  /** Templates by the names of their pages. A line `{{tabs: Section}}` stands for that section of each README. */
  templates: ReadonlyMap<string, string>
  /** The README of each language, by its name. */
  readmes: ReadonlyMap<string, string>
}

const SLOT = /^\{\{tabs: (?<section>.+)\}\}$/gm

/** The guides whose every section some README has. */
export function guidePages(
  { templates, readmes }: Guides,
  languages: readonly Language[],
): Array<{ name: string; text: string }> {
  return [...templates].flatMap(([name, template]) => {
    let isWhole = true
    const text = template.replace(SLOT, (_, section: string) => {
      const items = languages.flatMap(({ name, title }): Array<[string, string]> => {
        const content = sectionOf(readmes.get(name) ?? '', section)
        return content === null ? [] : [[title, content]]
      })
      if (items.length === 0) isWhole = false
      return tabs(items)
    })
    return isWhole ? [{ name, text: text.trimEnd() }] : []
  })
}

/** What stands under a heading of the second level. */
function sectionOf(readme: string, heading: string): string | null {
  const [, after] = readme.split(`\n## ${heading}\n`)
  const [content] = after?.split(/\n## /) ?? []
  return content?.trim() ?? null
}
