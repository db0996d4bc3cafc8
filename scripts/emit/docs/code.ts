import { indexOf, type TypeIndex } from '../../model/index.ts'
import type { Api, Operation, TypeRef, Webhook } from '../../model/types.ts'
import { type Call, callThatShows } from '../core/examples.ts'
import type { Language } from '../core/language.ts'
import { blocks, fenced } from '../core/markdown.ts'
import type { Snippet } from '../core/snippets.ts'

/** The code of the pages: what each language writes for a snippet, in the order of `docsSnippets`. */
export type Code = ReadonlyMap<Language, readonly string[]>

interface Shown {
  of: Operation | Webhook
  snippet: Snippet
}

/** The code of one operation or event, in every language. */
export class CodeOf {
  readonly #shown: readonly Shown[]
  readonly #code: Code

  constructor(api: Api, code: Code) {
    this.#shown = shownIn(api)
    this.#code = code
  }

  /** A tab for each language; nothing where no short code shows it. */
  tabs(of: Operation | Webhook): string {
    const at = this.#shown.findIndex((one) => one.of === of)
    if (at === -1 || this.#code.size === 0) return ''
    return tabs(
      [...this.#code].map(([{ title, fence }, texts]) => [
        title,
        fenced(fence, (texts[at] ?? '').trimEnd()),
      ]),
    )
  }
}

/** Content under the names of its tabs. GitHub shows one after the other. */
export function tabs(items: ReadonlyArray<readonly [name: string, content: string]>): string {
  return blocks(
    '<!-- tabs -->',
    ...items.map(([name, content]) => blocks(`**${name}**`, content)),
    '<!-- /tabs -->',
  )
}

/** What the pages show in code. */
export function docsSnippets(api: Api): Snippet[] {
  return shownIn(api).map(({ snippet }) => snippet)
}

function shownIn(api: Api): Shown[] {
  const index = indexOf(api.decls)
  const operations = api.operations.flatMap((operation): Shown[] => {
    const call = operation.successor ? null : callThatShows(operation, api.decls, {})
    return call
      ? [{ of: operation, snippet: { source: { of: 'call', call }, steps: [], use: shows(call) } }]
      : []
  })
  const events = api.webhooks.flatMap((webhook): Shown[] => {
    const payload = index.model(webhook.payload)
    const data = payload && index.fields(payload).find(({ wire }) => wire === 'data')
    if (!payload || !data) return []
    const target = index.target(data.type)
    const fields =
      target?.kind === 'model'
        ? index.fields(target).filter(({ type }) => isPlain(type, index))
        : []
    const steps = fields.length > 0 ? [{ of: 'field', field: data } as const] : []
    const use = { of: 'show', fields: fields.slice(0, 2) } as const
    return [{ of: webhook, snippet: { source: { of: 'event', webhook, payload }, steps, use } }]
  })
  return [...operations, ...events]
}

function shows({ shown }: Call): Snippet['use'] {
  return { of: 'show', fields: shown }
}

/** Whether a value prints as it is. */
function isPlain(type: TypeRef, index: TypeIndex): boolean {
  const { kind } = index.resolve(index.nonNull(type))
  return kind === 'primitive' || kind === 'literal'
}
