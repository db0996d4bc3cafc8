// Where names are explained: the anchors that GitHub and the site give to headings.

/** A heading, and the names that it leads to. */
export type Heading = readonly [names: readonly string[], text: string]

export class Links {
  private readonly places = new Map<string, string[]>()

  /** Adds the headings of a page, in their order. */
  addPage(page: string, headings: readonly Heading[]): void {
    const used = new Map<string, number>()
    for (const [names, text] of headings) {
      const slug = slugOf(text)
      const times = used.get(slug) ?? 0
      used.set(slug, times + 1)
      const anchor = times === 0 ? slug : `${slug}-${times}`
      for (const name of names) {
        this.places.set(name, [...(this.places.get(name) ?? []), `${page}#${anchor}`])
      }
    }
  }

  /** The address of a name, seen from a page. Its own names come first. */
  to(name: string, page: string): string | null {
    // Names of a module may begin with that of the package.
    const places = this.places.get(name) ?? this.places.get(name.replace(/^\w+::/, '')) ?? []
    const own = places.find((place) => place.startsWith(`${page}#`))
    return own?.slice(page.length) ?? places[0] ?? null
  }
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
