/** The nodes of a page. Their types are open, since the site's packages are not there when the rest is checked. */
export interface Node {
  type: string
  children: RootContent[]
  value: string
  url: string
  depth: number
}
export type RootContent = Node
export type Root = Node

/** A component with attributes and content. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: RootContent[] = [],
): RootContent {
  const node = {
    type: 'mdxJsxFlowElement',
    name,
    attributes: Object.entries(attributes).map(([name, text]) => ({
      type: 'mdxJsxAttribute',
      name,
      value: { type: 'mdxJsxAttributeValueExpression', value: JSON.stringify(text) },
    })),
    children,
  }
  return node as unknown as RootContent
}
