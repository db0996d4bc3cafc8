import type { PaginationMark } from '../contract/extensions.ts'
import { type Json, object } from '../contract/json.ts'
import type { Name, Pagination, Result } from '../model/types.ts'
import { singularName } from '../model/words.ts'
import type { Context } from './context.ts'
import type { Declarations } from './declarations.ts'
import type { Parameters } from './parameters.ts'

/** The pagination of an operation, from `x-pagination`. Checks it against parameters and response. */
export function paginationOf(
  operation: Json,
  resource: readonly Name[],
  parameters: Parameters,
  result: Result,
  declarations: Declarations,
  context: Context,
): Pagination | null {
  if (!('x-pagination' in operation)) return null
  const mark = object(operation['x-pagination']) as unknown as PaginationMark
  const node = object(operation['x-pagination'])
  if (!parameters.query.some(({ wire }) => wire === mark.cursor_param)) {
    const message = `the operation has no parameter "${mark.cursor_param}" in its query`
    context.error(node, 'cursor_param', message, 'Name the parameter that takes the cursor')
  }
  const [type] = result.types
  const page = type && declarations.index.model(type)
  const fields = page ? declarations.index.fields(page) : []
  const items = fields.find(({ wire }) => wire === mark.items)?.type
  if (items?.kind !== 'list') {
    const message = `the response has no list "${mark.items}"`
    context.error(node, 'items', message, 'Name the field that holds the items of a page')
    return null
  }
  if (!fields.some(({ wire }) => wire === mark.next_cursor)) {
    const message = `the response has no field "${mark.next_cursor}"`
    context.error(node, 'next_cursor', message, 'Name the field that holds the next cursor')
  }
  return {
    style: mark.style,
    cursorParam: mark.cursor_param,
    limitParam: mark.limit_param ?? null,
    items: mark.items,
    nextCursor: mark.next_cursor,
    item: items.of,
    itemName: singularName(resource.at(-1) ?? ['item']),
  }
}
