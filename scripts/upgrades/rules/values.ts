// Rules for expressions that hold values of the package, as far as the syntax of one file shows it:
// results of calls, their fields and items, variables that have one of these or are declared so, and
// events that were told apart.
import { indexOf } from '../../model/index.ts'
import type { Api, Field, Operation, TypeRef, Webhook } from '../../model/types.ts'
import type { Bound, Grammar } from './grammar.ts'
import { child, contains, every, oneOf, within, without } from './match.ts'
import type { Match } from './types.ts'

/** What an expression may hold: a value of a declaration, a list of such, or a page of such. */
interface Shape {
  id: string
  form: 'one' | 'list' | 'page'
}

/** How many variables may lead from a call to a use. */
const MAX_DEPTH = 2

const ANYTHING: Match = { regex: '.' }

export class Values {
  /** The rules that others name. */
  readonly utils: Record<string, Match> = {}
  readonly #grammar: Grammar
  readonly #api: Api

  constructor(grammar: Grammar, api: Api) {
    this.#grammar = grammar
    this.#api = api
    const { file, platform } = grammar
    this.utils.file = within(every(file, contains(platform(api.platform))))
  }

  /** Is in a file that names the package. */
  get known(): Match {
    return { matches: 'file' }
  }

  /** An expression that holds a value of a declaration. */
  of(id: string): Match {
    return this.#shape({ id, form: 'one' }, 0)
  }

  /** The resource of an operation, whatever the client is called. */
  resource(operation: Operation, client: Match = ANYTHING): Match {
    const { names, member, raw } = this.#grammar
    const chain = names.resources(operation).reduce(member, client)
    return raw === null ? chain : oneOf(chain, member(chain, raw))
  }

  /** The calls of an operation's methods. */
  calls(operation: Operation): Match {
    return oneOf(...this.#methods(operation).map((name) => this.#call(operation, name)))
  }

  /** The names of the methods in calls of an operation. */
  methodNames(operation: Operation): Match {
    const resource = this.resource(operation)
    const names = this.#methods(operation)
    return oneOf(...names.map((name) => this.#grammar.memberName(resource, name)))
  }

  #methods(operation: Operation): string[] {
    return Object.values(this.#grammar.names.methods(operation))
  }

  #call(operation: Operation, name: string): Match {
    const { call, member } = this.#grammar
    return this.#share(`call of ${operation.id} ${name}`, () =>
      call(member(this.resource(operation), name)),
    )
  }

  /** A rule that is written once. It may name itself. */
  #share(title: string, make: (self: Match) => Match): Match {
    const name = title.replace(/[^\w]+/g, '-')
    if (!(name in this.utils)) {
      this.utils[name] = {}
      this.utils[name] = make({ matches: name })
    }
    return { matches: name }
  }

  #shape(shape: Shape, depth: number): Match {
    const { id, form } = shape
    return this.#share(`${form} ${id} ${depth}`, (self) =>
      oneOf(...this.#expressions(shape, depth, self)),
    )
  }

  #expressions(shape: Shape, depth: number, self: Match): Match[] {
    const { wrappers, element } = this.#grammar
    const items = { ...shape, form: 'list' } as const
    return [
      ...this.#results(shape),
      ...this.#members(shape, depth),
      ...wrappers.map((wrapper) => every(wrapper, child(self))),
      ...(shape.form === 'one' && this.#hasLists(shape.id)
        ? [element(this.#shape(items, depth))]
        : []),
      ...(depth < MAX_DEPTH ? [this.#variable(shape, depth)] : []),
    ]
  }

  /** Calls that return it. */
  #results({ id, form }: Shape): Match[] {
    return this.#api.operations.flatMap((operation) => {
      const { page } = operation
      const { one, all } = this.#grammar.names.methods(operation)
      if (page) {
        if (!this.#is(page.item, { id, form: 'one' })) return []
        if (form === 'page') return [this.#call(operation, one)]
        return form === 'list' && all !== undefined ? [this.#call(operation, all)] : []
      }
      const isResult = operation.result.types.some((type) => this.#is(type, { id, form }))
      return isResult ? [this.#call(operation, one)] : []
    })
  }

  /** Fields that hold it, and the items of pages. */
  #members(shape: Shape, depth: number): Match[] {
    const { member, items, problem } = this.#grammar
    const fields = this.#owners(shape).map(({ owner, name }) =>
      member(this.#shape({ id: owner, form: 'one' }, depth), name),
    )
    const isPaged = shape.form === 'list' && this.#isPaged(shape.id)
    const page = isPaged ? [member(this.#shape({ ...shape, form: 'page' }, depth), items)] : []
    const isProblem = shape.form === 'one' && this.#isProblem(shape.id)
    return [...fields, ...page, ...(isProblem ? [member(ANYTHING, problem)] : [])]
  }

  /** The objects with a field that holds it, and the name of the field. */
  #owners(shape: Shape): Array<{ owner: string; name: string }> {
    return this.#models().flatMap(({ id, fields }) =>
      fields
        .filter(({ type }) => this.#is(type, shape))
        .map((field) => ({ owner: id, name: this.#grammar.names.field(field) })),
    )
  }

  #variable(shape: Shape, depth: number): Match {
    const { variables, scopes, bindings, narrowings, branches } = this.#grammar
    const variable: Match = { pattern: `$V${depth}` }
    const bound = this.#bound(shape, depth)
    const { id, form } = shape
    const given = this.#share(`binding of ${form} ${id} ${depth}`, () =>
      oneOf(...bindings(variable, bound)),
    )
    const all = this.#share(`binding ${depth}`, () => oneOf(...bindings(variable, null)))
    const others = every(all, without(given))
    const told = narrowings(variable, bound)
    const told_ = told.length === 0 ? [] : [narrowed(scopes, told, narrowings(variable, null))]
    const inside = branches(variable, bound)
    return every(
      variables,
      variable,
      oneOf(
        within(every(scopes, contains(given, scopes), without(contains(others)))),
        ...told_,
        ...(inside.length === 0 ? [] : [within(oneOf(...inside))]),
      ),
    )
  }

  #bound(shape: Shape, depth: number): Bound {
    const isOne = shape.form === 'one'
    const list = { ...shape, form: 'list' } as const
    const page = { ...shape, form: 'page' } as const
    const lists = [
      ...(this.#hasLists(shape.id) ? [list] : []),
      ...(this.#isPaged(shape.id) ? [page] : []),
    ]
    const items = lists.map((one) => this.#shape(one, depth + 1))
    const event = this.#eventOf(shape.id)
    return {
      value: this.#shape(shape, depth + 1),
      items: isOne && items.length > 0 ? oneOf(...items) : null,
      type: isOne ? this.#grammar.names.type(shape.id, this.#api) : null,
      event: isOne && event ? event.event : null,
      parts: this.#owners(shape).map(({ owner, name }) => ({
        name,
        of: this.#shape({ id: owner, form: 'one' }, depth + 1),
      })),
      platform: this.#api.platform,
    }
  }

  #is(type: TypeRef, { id, form }: Shape): boolean {
    const index = indexOf(this.#api.decls)
    const bare = index.resolve(index.nonNull(type))
    if (form === 'list') return bare.kind === 'list' && this.#is(bare.of, { id, form: 'one' })
    return form === 'one' && bare.kind === 'ref' && bare.id === id
  }

  /** The objects with all their fields, inherited ones included. */
  #models(): Array<{ id: string; fields: Field[] }> {
    const index = indexOf(this.#api.decls)
    return this.#api.decls.flatMap((decl) =>
      decl.kind === 'model' ? [{ id: decl.id, fields: index.fields(decl) }] : [],
    )
  }

  #isPaged(id: string): boolean {
    return this.#api.operations.some(({ page }) => page && this.#is(page.item, { id, form: 'one' }))
  }

  #hasLists(id: string): boolean {
    const list = { id, form: 'list' } as const
    return (
      this.#isPaged(id) ||
      this.#models().some(({ fields }) => fields.some(({ type }) => this.#is(type, list))) ||
      this.#api.operations.some(({ result }) => result.types.some((type) => this.#is(type, list)))
    )
  }

  #isProblem(id: string): boolean {
    return this.#api.operations.some(({ responses }) =>
      responses.some(
        ({ status, body }) =>
          /^[45]|default/.test(status) && body !== null && this.#is(body.type, { id, form: 'one' }),
      ),
    )
  }

  #eventOf(id: string): Webhook | undefined {
    return this.#api.webhooks.find(({ payload }) => this.#is(payload, { id, form: 'one' }))
  }
}

/** A variable that one scope says to be something, and nothing else. */
function narrowed(scopes: Match, told: readonly Match[], all: readonly Match[]): Match {
  const others = every(oneOf(...all), without(oneOf(...told)))
  return within(every(scopes, contains(oneOf(...told), scopes), without(contains(others))))
}
