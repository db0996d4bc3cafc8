import type { Api, Operation } from '../../model/types.ts'
import { words } from '../../model/words.ts'
import type { Finding } from '../compare/findings.ts'

/**
 * Recognizes what follows from the contract or the policy in a surface: names and parts of declarations
 * that are spelled like what changed there. Each language has spellings of its own, so that words count.
 */
export class Explained {
  /** Each is explained by all of its parts together. */
  readonly #terms: string[][] = []
  readonly #types: string[]

  constructor(findings: readonly Finding[], before: Api, after: Api) {
    const apis = [before, after]
    this.#types = [
      ...onlyInOne(before, after, ({ decls }) => decls.map(({ id }) => id)),
      ...onlyInOne(before, after, ({ operations }) =>
        operations.flatMap(({ resource }) => resource.map((name) => name.join(' '))),
      ),
      ...findings.flatMap(({ subject }) => (subject.of === 'type' ? [subject.decl.id] : [])),
    ].map(folded)
    for (const { subject, renamed, users } of findings) {
      switch (subject.of) {
        case 'operation':
          this.#terms.push(termOf(subject.operation))
          break
        case 'parameter':
          this.#terms.push([subject.parameter.wire])
          break
        case 'field':
          this.#terms.push([subject.field.wire])
          break
        case 'value':
          this.#terms.push([String(subject.value)], [subject.decl.id])
          break
        case 'event':
          this.#terms.push([subject.webhook.event])
          break
        case 'other':
          this.#terms.push([subject.name])
      }
      if (renamed) this.#terms.push([renamed.from], [renamed.to])
      for (const { operations, webhooks } of apis) {
        const reached = operations.filter(({ id }) => users.includes(id))
        this.#terms.push(...reached.map(termOf))
        const events = webhooks.filter(({ event }) => users.includes(`webhook ${event}`))
        this.#terms.push(...events.map(({ event }) => [event]))
      }
    }
    this.#terms = this.#terms.map((term) => term.map(folded))
  }

  /** Whether something of the contract explains a change of a declaration. */
  readonly covers = (name: string, changed: readonly string[]): boolean => {
    if (this.#terms.length + this.#types.length === 0) return false
    // What openapi-typescript makes of the whole contract.
    if (name.startsWith('paths[')) return true
    const tokens = [name, ...changed].flatMap((text) => text.match(/[\p{L}\p{N}_$]+/gu) ?? [])
    const known = [...new Set([...tokens, ...changed].map(folded))]
    const has = (part: string) =>
      known.some((token) => (part.length < 4 ? token === part : token.includes(part)))
    return (
      this.#terms.some((term) => term.every(has)) ||
      this.#types.some((type) => known.some((token) => token.startsWith(type)))
    )
  }
}

/** A method of a resource, whose name is in the plural here and in the singular there. */
function termOf({ resource, method }: Operation): string[] {
  return [...resource.slice(-1).map((name) => name.join(' ').replace(/s$/, '')), method.join(' ')]
}

function folded(text: string): string {
  return words(text).join('').toLowerCase()
}

function onlyInOne(before: Api, after: Api, names: (api: Api) => readonly string[]): string[] {
  const [old, now] = [new Set(names(before)), new Set(names(after))]
  return [...old, ...now].filter((name) => !old.has(name) || !now.has(name))
}
