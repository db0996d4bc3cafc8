import { labelOf, type Section } from './pages.ts'

interface Entry {
  label?: string
  slug?: string
  collapsed?: boolean
  items?: Entry[]
}

/** The navigation, in the form of Starlight. Groups of the first level are open. */
export function sidebarOf(sections: readonly Section[], isNested = false): Entry[] {
  return sections
    .map(({ label, pages, sections }) => ({
      label,
      collapsed: isNested,
      items: [
        ...pages.map((page) => ({ slug: page.slug || 'index', label: labelOf(page) })),
        ...sidebarOf(sections, true),
      ],
    }))
    .filter(({ items }) => items.length > 0)
}
