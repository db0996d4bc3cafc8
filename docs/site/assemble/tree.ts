import { SKIP, visit } from 'unist-util-visit'

/** The nodes of a page. Each has some of these fields. */
export interface Node {
  type: string
  children: RootContent[]
  value: string
  url: string
  depth: number
}
export type RootContent = Node
export type Root = Node

/** Says where to go on: at a place among the siblings, or past what is beneath. */
type Visitor = (
  node: Node,
  at: number | undefined,
  parent: Node | undefined,
) => number | typeof SKIP | undefined

export { SKIP }

/** Visits the nodes of a type, in their order. */
export const walk = visit as unknown as (tree: Root, type: string, visitor: Visitor) => void

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
