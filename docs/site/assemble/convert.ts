/** Turns a page of the repository, in GitHub's Markdown, into a page of the site, in MDX. */
import { toString as textOf } from 'mdast-util-to-string'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { Page } from './pages.ts'
import { groupTabs } from './tabs.ts'
import { element, type Root, type RootContent, SKIP, walk } from './tree.ts'

export interface Converted {
  title: string
  /** The first paragraph as plain text. */
  description: string
  mdx: string
}

/** Where a link of a page leads on the site. */
export type Resolve = (url: string, page: Page) => string

const reader = unified().use(remarkParse).use(remarkGfm)
const writer = unified().use(remarkStringify, { bullet: '-' }).use(remarkGfm).use(remarkMdx)

/** What a page imports for its components, by the first of them. */
const IMPORTS = new Map([
  ['<Tabs', "import { TabItem, Tabs } from '@astrojs/starlight/components'"],
  ['<Request', "import Request from '@components/Request.astro'"],
])

export function convert(markdown: string, page: Page, resolve: Resolve): Converted {
  const tree = reader.parse(markdown) as Root
  const title = takeTitle(tree, page)
  const summary = tree.children.find(({ type }) => type === 'paragraph')
  const description = summary ? textOf(summary).replace(/\s+/g, ' ') : title
  tree.children = withRequests(groupTabs(tree.children, page.file))
  for (const type of ['link', 'image', 'definition']) {
    walk(tree, type, (node) => {
      node.url = resolve(node.url, page)
      return undefined
    })
  }
  embedHtml(tree, page, resolve)
  wrapTables(tree)
  const body = writer.stringify(tree as never)
  const imports = [...IMPORTS].filter(([component]) => body.includes(component))
  const head = [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description)}`,
    '---',
    ...imports.map(([, line]) => line),
  ].join('\n')
  return { title, description, mdx: `${head}\n\n${body}` }
}

/** The site shows the title by itself. */
function takeTitle(tree: Root, { file }: Page): string {
  const at = tree.children.findIndex((node) => node.type === 'heading' && node.depth === 1)
  const heading = tree.children[at]
  if (!heading) throw new Error(`${file}: the page has no title. Begin it with a line "# Title".`)
  tree.children.splice(at, 1)
  return textOf(heading)
}

/** A request that follows `<!-- try it -->` becomes one that the reader can send. */
function withRequests(nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap((node, at) => {
    const before = nodes[at - 1]
    if (node.type !== 'code' || before?.type !== 'html' || before.value !== '<!-- try it -->')
      return [node]
    return [element('Request', { text: node.value })]
  })
}

/** Wide tables scroll by themselves, and the page does not. */
function wrapTables(tree: Root): void {
  walk(tree, 'table', (node, at, parent) => {
    if (!parent || at === undefined) return undefined
    parent.children[at] = element('div', { class: 'wide' }, [node])
    return SKIP
  })
}

/** Comments are for GitHub's view. Any other HTML stays as it is, apart from its links. */
function embedHtml(tree: Root, page: Page, resolve: Resolve): void {
  walk(tree, 'html', (node, at, parent) => {
    if (!parent || at === undefined) return undefined
    if (/^<!--[\s\S]*-->$/.test(node.value)) {
      parent.children.splice(at, 1)
      return at
    }
    const html = withThemes(node.value).replace(
      /\b(src|srcset|href)="([^"]*)"/g,
      (_, name, url) => `${name}="${resolve(url, page)}"`,
    )
    parent.children[at] = element('Fragment', { 'set:html': html })
    return at + 1
  })
}

const PICTURE =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)">\s*<img ([^>]*)src="[^"]*"([^>]*)>\s*<\/picture>/g

/** On GitHub a picture follows the theme of the system. The site has a theme of its own. */
function withThemes(html: string): string {
  return html.replace(PICTURE, (picture, dark: string, before: string, after: string) => {
    const light = /<img [^>]*>/.exec(picture)?.[0] ?? ''
    return `<img class="light:sl-hidden" ${before}src="${dark}"${after}>${light.replace('<img', '<img class="dark:sl-hidden"')}`
  })
}
