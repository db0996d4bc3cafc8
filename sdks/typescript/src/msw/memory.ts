import { parseExact } from '../core/json.js'
import { merge } from '../fixtures/merge.js'
import { type Item, isItem, type Mock } from './mock.js'

/** A request to an operation. */
interface Call {
  /** Without the base URL. */
  path: string
  params: Readonly<Record<string, string>>
  body: unknown
}

/** Remembers what calls created, so that later ones return it. */
export class Memory {
  /** In the order of creation, by the path of the call. */
  readonly #created = new Map<string, Item[]>()
  /** How many things an operation created, by its ID. */
  readonly #counts = new Map<string, number>()

  clear(): void {
    this.#created.clear()
    this.#counts.clear()
  }

  /** The body of the response, which is the caller's to change. */
  respond(mock: Mock, { path, params, body }: Call): unknown {
    const copy = structuredClone(mock.examples)
    const [example] = copy
    if (!isItem(example)) return mock.lists ? this.#listed(mock.lists, example, path) : example
    if (mock.creates) return this.#create(mock.id, mock.creates, example, { path, params, body })
    const read = mock.reads ? this.#read(mock.reads, copy.filter(isItem), path, params) : example
    for (const [field, child] of Object.entries(mock.holds)) {
      read[field] = [...listOf(read[field]), ...this.#at(`${path}/${child}`)]
    }
    if (!mock.lists?.items) return read
    return { ...read, [mock.lists.items]: this.#listed(mock.lists, read[mock.lists.items], path) }
  }

  #create(
    id: string,
    { key, sent, parents }: NonNullable<Mock['creates']>,
    example: Item,
    call: Call,
  ): Item {
    const count = this.#counts.get(id) ?? 0
    this.#counts.set(id, count + 1)
    const given = isItem(call.body) ? call.body : {}
    const item = { ...example }
    for (const field of sent) if (given[field] !== undefined) item[field] = given[field]
    for (const [field, parameter] of Object.entries(parents)) {
      item[field] = like(example[field], call.params[parameter])
    }
    if (key !== null) item[key] = numbered(example[key], count)
    this.#created.set(call.path, [...(this.#created.get(call.path) ?? []), item])
    return structuredClone(item)
  }

  /** What was created, else the example with this key, else the first one under this key. */
  #read(
    { key, parameter }: NonNullable<Mock['reads']>,
    examples: readonly Item[],
    path: string,
    params: Call['params'],
  ): Item {
    const wanted = params[parameter]
    const isWanted = (item: Item) => String(item[key]) === wanted
    const [first = {}] = examples
    const created = this.#at(path.slice(0, path.lastIndexOf('/'))).find(isWanted)
    if (created) return merge(first, created) as Item
    return examples.find(isWanted) ?? { ...first, [key]: like(first[key], wanted) }
  }

  /** What was created, the newest first, and then the example. */
  #listed({ fields }: NonNullable<Mock['lists']>, example: unknown, path: string): unknown[] {
    const items = this.#at(path).reverse()
    const shown = items.map((item) =>
      Object.fromEntries(Object.entries(item).filter(([field]) => fields.includes(field))),
    )
    return [...shown, ...listOf(example)]
  }

  #at(path: string): Item[] {
    return structuredClone(this.#created.get(path) ?? [])
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text of a parameter, as a number where the example is one. */
function like(example: unknown, text = ''): unknown {
  const isNumber = Number.isInteger(example) && /^(?:0|-?[1-9]\d*)$/.test(text)
  return isNumber ? parseExact(text) : text
}

/** The first thing that is created has the identifier of the example, and each further one its own. */
function numbered(id: unknown, before: number): unknown {
  if (before === 0) return id
  if (typeof id === 'number') return id + before
  const text = String(id)
  const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
  if (!isUuid) return `${text}_${before + 1}`
  return text.slice(0, -12) + (before + 1).toString(16).padStart(12, '0')
}
