import { toString as textOf } from 'mdast-util-to-string'
import { element, type RootContent } from './tree.ts'

const BEGIN = '<!-- tabs -->'
const END = '<!-- /tabs -->'

/**
 * Makes tabs of what stands between `<!-- tabs -->` and `<!-- /tabs -->`: each begins with a paragraph that is
 * nothing but its name in bold. The reader's choice holds for all pages.
 */
export function groupTabs(nodes: readonly RootContent[], file: string): RootContent[] {
  const grouped: RootContent[] = []
  let items: RootContent[] | null = null
  for (const node of nodes) {
    if (isComment(node, BEGIN)) {
      if (items) throw new Error(`${file}: tabs begin within tabs. Write "${END}" before.`)
      items = []
    } else if (isComment(node, END)) {
      if (!items?.length) throw new Error(`${file}: tabs end that hold nothing, or did not begin.`)
      grouped.push(element('Tabs', { syncKey: 'language' }, items))
      items = null
    } else if (!items) {
      grouped.push(node)
    } else if (isName(node)) {
      items.push(element('TabItem', { label: textOf(node) }))
    } else {
      const last = items.at(-1)
      if (!last) throw new Error(`${file}: the first tab has no name. Write it as "**Name**".`)
      last.children.push(node)
    }
  }
  if (items) throw new Error(`${file}: tabs do not end. Write "${END}" after them.`)
  return grouped
}

function isComment(node: RootContent, text: string): boolean {
  return node.type === 'html' && node.value === text
}

function isName({ type, children }: RootContent): boolean {
  return type === 'paragraph' && children.length === 1 && children[0]?.type === 'strong'
}
