import { isObject } from '../contract/json.ts'
import { indexOf, type Traffic, type TypeIndex } from '../model/index.ts'
import type { Example, TypeRef } from '../model/types.ts'

/**
 * Puts the keys of all examples into the order of the fields that they are examples of, so that the
 * order of a document's keys decides nothing and readers see the same order everywhere.
 */
export function arrangeExamples({ decls, operations, webhooks }: Traffic): void {
  const arranger = new Arranger(indexOf(decls))
  for (const decl of decls) {
    if (decl.example !== undefined) {
      decl.example = arranger.arrange(decl.example, { kind: 'ref', id: decl.id })
    }
  }
  for (const { body, responses } of operations) {
    for (const shown of [body, ...responses.map(({ body }) => body)]) {
      if (shown) arranger.all(shown.examples, shown.type)
    }
  }
  for (const { examples, payload } of webhooks) arranger.all(examples, payload)
}

class Arranger {
  readonly #index: TypeIndex

  constructor(index: TypeIndex) {
    this.#index = index
  }

  all(examples: readonly Example[], type: TypeRef): void {
    for (const example of examples) example.value = this.arrange(example.value, type)
  }

  arrange(value: unknown, type: TypeRef | undefined): unknown {
    const actual = this.#resolve(type, value)
    if (Array.isArray(value)) {
      const of = actual?.kind === 'list' ? actual.of : undefined
      return value.map((item) => this.arrange(item, of))
    }
    if (!isObject(value)) return value
    const model = actual && this.#index.model(actual)
    const fields = model ? this.#index.fields(model) : []
    const order = fields.map(({ wire }) => wire)
    const rank = (key: string) => order.indexOf(key) + 1 || order.length + 1
    const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    return Object.fromEntries(
      keys.map((key) => {
        const field = fields.find(({ wire }) => wire === key)
        const inner = field?.type ?? (actual?.kind === 'map' ? actual.of : undefined)
        return [key, this.arrange(value[key], inner)]
      }),
    )
  }

  /** The type that a value is an example of, without null, aliases and unions. */
  #resolve(type: TypeRef | undefined, value: unknown): TypeRef | undefined {
    if (type?.kind === 'nullable') return this.#resolve(type.of, value)
    const decl = type?.kind === 'ref' ? this.#index.decl(type.id) : undefined
    if (decl?.kind === 'alias') return this.#resolve(decl.type, value)
    if (decl?.kind !== 'union' || !decl.tag) return type
    const tag = isObject(value) ? value[decl.tag.property] : undefined
    const id = decl.tag.mapping[String(tag)]
    return id === undefined ? undefined : this.#resolve({ kind: 'ref', id }, value)
  }
}
