import { labelOf, type Section } from './pages.ts'

type Entry = Link | Group

interface Link {
  slug: string
  label?: string
}

interface Group {
  label: string
  collapsed: boolean
  items: Entry[]
}

/** The navigation, in the form of Starlight. Groups of the first level are open. */
export function sidebarOf(sections: readonly Section[], isNested = false): Group[] {
  return sections
    .map(({ label, pages, sections }) => ({
      label,
      collapsed: isNested,
      items: [
        ...pages.map((page): Link => {
          const own = labelOf(page)
          return { slug: page.slug || 'index', ...(own === undefined ? {} : { label: own }) }
        }),
        ...sidebarOf(sections, true),
      ],
    }))
    .filter(({ items }) => items.length > 0)
}
