/** The pages as plain Markdown, and their index, for programs that read. */
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { Resolve } from './convert.ts'
import { type Page, pagesOf, type Section } from './pages.ts'
import { type Root, walk } from './tree.ts'

export interface Text {
  page: Page
  title: string
  description: string
  text: string
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkStringify, { bullet: '-' })

/** A page without comments, with links to the Markdown of other pages. */
export function markdownOf(source: string, page: Page, resolve: Resolve): string {
  const tree = markdown.parse(source) as Root
  tree.children = tree.children.filter(
    ({ type, value }) => type !== 'html' || !/^<!--[\s\S]*-->$/.test(value),
  )
  for (const type of ['link', 'definition', 'image']) {
    walk(tree, type, (node) => {
      const url = resolve(node.url, page)
      node.url = type === 'image' ? relativeTo(page, url) : toText(url, page)
      return undefined
    })
  }
  return markdown.stringify(tree as never)
}

/** `/errors/#retries` is `errors.md#retries`, relative to the page. */
function toText(url: string, page: Page): string {
  const link = /^\/(?<slug>(?:[^#]*[^#/])?)\/?(?<hash>#.*)?$/.exec(url)
  if (!link?.groups) return url
  const { slug, hash = '' } = link.groups
  const file = /\.\w+$/.test(slug ?? '') ? slug : `${slug || 'index'}.md`
  return relativeTo(page, `/${file}${hash}`)
}

function relativeTo({ slug }: Page, url: string): string {
  if (!url.startsWith('/')) return url
  return `${'../'.repeat(slug.split('/').length - 1)}${url.slice(1)}`
}

/** The index, in the form of `llms.txt`. */
export function guideForAgents(sections: readonly Section[], texts: readonly Text[]): string {
  const [home] = texts
  const line = ({ page, title, description }: Text) =>
    `- [${title}](${page.slug || 'index'}.md): ${description}`
  const parts = sections.map((section) => {
    const files = new Set(pagesOf([section]).map(({ file }) => file))
    const own = texts.filter(({ page }) => files.has(page.file))
    return own.length > 0 ? `## ${section.label}\n\n${own.map(line).join('\n')}` : null
  })
  return `${[
    `# ${home?.title}`,
    `> ${home?.description}`,
    'Each page below is Markdown. [All pages in one file](llms-full.txt).',
    ...parts.filter((part) => part !== null),
  ].join('\n\n')}\n`
}

/** All pages, each under its path. */
export function wholeText(texts: readonly Text[]): string {
  return texts
    .map(({ page, text }) => `<!-- ${page.slug || 'index'}.md -->\n\n${text}`)
    .join('\n\n')
}
