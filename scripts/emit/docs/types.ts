import type { Api, Decl, Doc, TypeRef } from '../../model/types.ts'
import { pascal } from '../../model/words.ts'
import { anchor, code, inline } from '../core/markdown.ts'

/** Names types and links to their descriptions. */
export class TypeNames {
  readonly #names: Map<string, string>
  readonly #page: string

  /** @param page The page with all schemas, as seen from the page that links to it. */
  constructor(api: Api, page: string) {
    this.#names = new Map(api.decls.map(({ id, name }) => [id, pascal(name)]))
    this.#page = page
  }

  of(decl: Decl): string {
    return this.#names.get(decl.id) ?? decl.id
  }

  /** A type in words, with links. */
  describe(type: TypeRef): string {
    switch (type.kind) {
      case 'primitive':
        return type.type
      case 'literal':
        return code(JSON.stringify(type.value))
      case 'list':
        return `list of ${this.describe(type.of)}`
      case 'map':
        return `map of ${this.describe(type.of)}`
      case 'nullable':
        return `${this.describe(type.of)} or null`
      case 'ref': {
        const name = this.#names.get(type.id) ?? type.id
        return `[${name}](${this.#page}#${anchor(name)})`
      }
    }
  }
}

/** A description in one line, with its remarks. */
export function remark({ text, assumed, deprecated }: Doc): string {
  return [
    deprecated && '**Deprecated.**',
    text && inline(text),
    assumed && `*Assumption:* ${inline(assumed)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** A description in paragraphs, with its remarks. */
export function paragraphs({ text, assumed, deprecated }: Doc): string {
  return [
    deprecated && '**Deprecated.**',
    text?.trim(),
    assumed && `*Assumption:* ${inline(assumed)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
