/** Where the links of a page lead on the site. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Resolve } from './convert.ts'
import type { Page } from './pages.ts'

export interface Links {
  resolve: Resolve
  /** Files and folders that pages show or link to, from the root, with the paths at which the site holds them. */
  files: Map<string, string>
}

/** Browsers show these as they are. They would download, or mistake, any other kind of text. */
const SHOWN = /\.(?:png|svg|ya?ml|json|txt|md)$/

export function linksOf(root: string, pages: readonly Page[], base: string): Links {
  const slugs = new Map(pages.map(({ file, slug }) => [file, slug]))
  const files = new Map<string, string>()

  const resolve: Resolve = (url, { file }) => {
    if (/^(?:[a-z][a-z+.-]*:|#|\/\/)/i.test(url)) return url
    const [path = '', anchor] = url.split('#')
    const hash = anchor === undefined ? '' : `#${anchor}`
    const target = normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '')
    const absolute = join(root, target)
    if (!existsSync(absolute)) throw new Error(`${file}: the link to ${url} leads nowhere.`)
    const readme = statSync(absolute).isDirectory() ? join(target, 'README.md') : target
    const slug = readme === 'README.md' ? '' : slugs.get(readme)
    if (slug !== undefined) return `${base}/${slug === '' ? '' : `${slug}/`}${hash}`
    const held = SHOWN.test(target) ? `files/${target}` : `files/${target}.txt`
    files.set(target, held)
    return `${base}/${held}`
  }
  return { resolve, files }
}
