/** Writes the pages of the site, and what else it holds, for Astro. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { convert } from './convert.ts'
import { linksOf } from './links.ts'
import { pagesOf, type Section, sectionsOf } from './pages.ts'
import { guideForAgents, markdownOf, wholeText } from './texts.ts'

export interface Places {
  /** The repository. */
  root: string
  /** Where Astro looks for the pages, and for files that it copies. */
  content: string
  public: string
  /** Where the icon of the site is. */
  icons: string
  /** The path of the site, without a slash at its end. */
  base: string
}

/** The names of the platform, for the head of each page. */
export interface Assembled {
  title: string
  sections: readonly Section[]
}

export function assemble(places: Places): Assembled {
  const { root, base } = places
  const sections = sectionsOf(root)
  const pages = pagesOf(sections)
  const { resolve, files } = linksOf(root, pages, base)
  for (const folder of [places.content, places.public])
    rmSync(folder, { recursive: true, force: true })

  const texts = pages.map((page) => {
    const markdown = readFileSync(join(root, page.file), 'utf8')
    const { title, description, mdx } = convert(markdown, page, resolve)
    write(join(places.content, `${page.slug || 'index'}.mdx`), mdx)
    const text = markdownOf(markdown, page, (url, from) => absolute(resolve(url, from)))
    write(join(places.public, `${page.slug || 'index'}.md`), text)
    return { page, title, description, text }
  })
  const title = texts[0]?.title ?? ''
  write(join(places.public, 'llms.txt'), guideForAgents(sections, texts))
  write(join(places.public, 'llms-full.txt'), wholeText(texts))
  hold(join(places.icons, 'favicon.svg'), join(places.public, 'favicon.svg'))
  for (const [file, held] of files) hold(join(root, file), join(places.public, held))
  return { title, sections }

  /** Links in the texts for agents are from the root of the site. */
  function absolute(url: string): string {
    return url.startsWith(`${base}/`) ? url.slice(base.length) : url
  }
}

/** Copies a file, or lists a folder. */
function hold(from: string, to: string): void {
  if (statSync(from).isDirectory()) write(to, `${readdirSync(from).sort().join('\n')}\n`)
  else {
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
