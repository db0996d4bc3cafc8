import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from '../../../scripts/repository.ts'
import { pagesOf, sectionsOf } from '../../site/assemble/pages.ts'

/** The pages of the site, in the order of its navigation. */
export const assembled = pagesOf(sectionsOf(ROOT))

interface Element {
  tagName?: string
  attrs?: Array<{ name: string; value: string }>
  childNodes?: Element[]
  content?: Element
}

/** The links of a built site that lead nowhere, each with its page. */
export async function brokenLinks(site: string): Promise<string[]> {
  // The site's packages are there once it was built.
  const require = createRequire(join(ROOT, 'docs/site/package.json'))
  const { parse } = (await import(require.resolve('parse5'))) as { parse(html: string): Element }
  const files = globSync('**/*.html', { cwd: site })
  const pages = new Map(
    files.map((file) => [file, attributesOf(parse(readFileSync(join(site, file), 'utf8')))]),
  )
  const ids = new Map(
    [...pages].map(([file, found]) => [
      file,
      new Set(found.filter(({ name }) => name === 'id').map(({ value }) => value)),
    ]),
  )
  const wrong: string[] = []
  for (const [file, attributes] of pages) {
    for (const { name, value } of attributes) {
      if (name !== 'href' && name !== 'src') continue
      if (/^(?:https?|mailto|data):/.test(value)) continue
      const { pathname, hash, origin } = new URL(
        value,
        `http://site/x/${file.replace(/index\.html$/, '')}`,
      )
      const path = decodeURI(pathname)
      const target = path.startsWith('/x/')
        ? path.slice(3).replace(/(^|\/)$/, '$1index.html')
        : null
      const anchor = decodeURIComponent(hash.slice(1))
      const isThere = origin === 'http://site' && target !== null && existsSync(join(site, target))
      if (!isThere || (anchor && target.endsWith('.html') && !ids.get(target)?.has(anchor))) {
        wrong.push(`${dirname(file)}: ${value}`)
      }
    }
  }
  return wrong
}

function attributesOf(node: Element): Array<{ name: string; value: string }> {
  const children = [...(node.childNodes ?? []), ...(node.content ? [node.content] : [])]
  return [...(node.attrs ?? []), ...children.flatMap(attributesOf)]
}

const PAGE = { file: 'docs/page.md', slug: 'page' }

/** Pages that cannot be built. The code loads late, since its packages are there once the site was built. */
export const broken = [
  {
    name: 'a link to a file that is not there',
    text: '# A\n\n[x](nothing.md)\n',
    message: 'docs/page.md: the link to nothing.md leads nowhere.',
  },
  {
    name: 'a page without a title',
    text: 'Text\n',
    message: 'docs/page.md: the page has no title.',
  },
  {
    name: 'tabs that do not end',
    text: '# A\n\n<!-- tabs -->\n\n**Go**\n\nx\n',
    message: 'docs/page.md: tabs do not end.',
  },
  {
    name: 'a tab without a name',
    text: '# A\n\n<!-- tabs -->\n\nx\n\n<!-- /tabs -->\n',
    message: 'docs/page.md: the first tab has no name.',
  },
  {
    name: 'tabs within tabs',
    text: '# A\n\n<!-- tabs -->\n\n<!-- tabs -->\n',
    message: 'docs/page.md: tabs begin within tabs.',
  },
  {
    name: 'tabs that did not begin',
    text: '# A\n\n<!-- /tabs -->\n',
    message: 'docs/page.md: tabs end that hold nothing',
  },
].map(({ name, text, message }) => ({
  name,
  message,
  markdown: async () => {
    const load = (name: string) => import(join(ROOT, 'docs/site/assemble', name))
    const { convert } = await load('convert.ts')
    const { linksOf } = await load('links.ts')
    convert(text, PAGE, linksOf(ROOT, [], '').resolve)
  },
}))
