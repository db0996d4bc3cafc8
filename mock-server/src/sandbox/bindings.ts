/**
 * Binds the sandbox to a contract: which operations and events it serves, and in which form. It knows
 * them by the names that they had when it was written, and follows the contract's renames.
 */
import {
  type Content,
  type Described,
  type DescribedEvent,
  declaredFor,
} from '../contract/document.ts'
import { Form, type Forms } from '../contract/form.ts'
import { invent } from '../contract/minimal.ts'
import type { Shape } from '../contract/shape.ts'
import { isJson, parseMediaType } from '../door/media-type.ts'
import { idsOf, type MakeId } from './ids.ts'
import { KINDS, type Kind, samplesOf } from './samples.ts'

interface Spec {
  route: string
  id: string
  /** The fields of the request without which the sandbox cannot serve it. */
  needs?: readonly string[]
}

/** The operations that the sandbox serves from its state. */
const OPERATIONS = {
  list: { route: 'GET /v1/conversations', id: 'listConversations' },
  get: { route: 'GET /v1/conversations/{id}', id: 'getConversation' },
  createMessage: {
    route: 'POST /v1/conversations/{id}/messages',
    id: 'createMessage',
    needs: ['text'],
  },
  createSource: { route: 'POST /v1/knowledge/sources', id: 'createSource' },
  analytics: { route: 'GET /v1/analytics', id: 'getAnalytics' },
} satisfies Record<string, Spec>
export type OperationName = keyof typeof OPERATIONS
const NAMES = Object.keys(OPERATIONS) as OperationName[]

/** An operation that the sandbox serves. */
export interface BoundOperation {
  name: OperationName
  described: Described
  status: number
  mediaType: string
  /** The headers that the contract requires. */
  headers: Readonly<Record<string, string>>
  /** Of the response; null if it has no body. */
  form: Form | null
  /** Of the request; null if it has no body. */
  body: Form | null
  /** The parameters of the query by the sandbox's names. */
  query: Readonly<Record<'cursor' | 'limit' | 'status', string | undefined>>
  /** The schema of the page size. */
  limit: { default?: number; maximum?: number }
}

/** An event that the sandbox sends. */
export interface BoundEvent {
  kind: string
  form: Form
}

/** What the sandbox does not serve, and why. */
export interface Unserved {
  what: string
  why: string
}

export interface Ids {
  conversation: MakeId
  message: MakeId
  source: MakeId
  event: MakeId
}

export class Bindings {
  /** By `METHOD /path` of the contract. */
  readonly operations = new Map<string, BoundOperation>()
  /** By the sandbox's own kinds. */
  readonly events = new Map<Kind, BoundEvent>()
  readonly unserved: Unserved[] = []
  readonly ids: Ids
  /** What the contract says about ids; undefined if it has none. */
  readonly idShapes: Readonly<Record<keyof Ids, Shape | undefined>>
  /** How the ids start; empty if that differs. */
  readonly prefixes: Readonly<Record<keyof Ids, string>>
  readonly forms: Forms
  /** A conversation in a list, and a message. */
  readonly parts: Readonly<Record<'conversation' | 'message', Form>>

  constructor(forms: Forms) {
    this.forms = forms
    const found = NAMES.map((name) => [name, this.#find(name)] as const)
    const known = new Map(found.flatMap(([name, one]) => (one ? [[name, one]] : [])))
    const made = this.#idsOf(known)
    this.ids = mapped(made, ({ make }) => make)
    this.idShapes = mapped(made, ({ shape }) => shape)
    const ids = this.sampleIds()
    this.prefixes = {
      conversation: prefixOf(ids.conversation),
      message: prefixOf(ids.message),
      source: prefixOf(ids.source),
      event: prefixOf(ids.event),
    }
    const samples = samplesOf(ids)
    for (const [name, described] of found) {
      if (described) this.#bind(name, described, samples)
      else this.unserved.push({ what: OPERATIONS[name].route, why: 'is not in the contract' })
    }
    for (const kind of KINDS) this.#bindEvent(kind, samples.events[kind])
    this.parts = {
      conversation: this.#part('conversation', this.#conversation, samples.summaries),
      message: this.#part('message', this.#message, samples.messages),
    }
  }

  get #conversation(): Shape | undefined {
    const created = this.events.get('conversation.created')?.form.shape
    return (
      itemOf(this.operation('list')?.form?.shape) ?? partOf(partOf(created, 'data'), 'conversation')
    )
  }

  get #message(): Shape | undefined {
    const sent = this.events.get('conversation.message')?.form.shape
    return this.operation('createMessage')?.form?.shape ?? partOf(partOf(sent, 'data'), 'message')
  }

  /** The form of something that the contract shows only within other things. */
  #part(name: string, shape: Shape | undefined, samples: readonly object[]): Form {
    const any = this.forms.shapes.of({})
    const form = new Form(name, shape ?? any, [], this.forms)
    form.prove(samples)
    return form
  }

  operation(name: OperationName): BoundOperation | undefined {
    return [...this.operations.values()].find((one) => one.name === name)
  }

  /** The names of the forms that leave everything as it is. */
  get identities(): string[] {
    const forms = [...this.operations.values(), ...this.events.values()].flatMap(
      ({ form }) => form ?? [],
    )
    const all = [...forms, ...Object.values(this.parts)]
    return all.filter(({ isIdentity }) => isIdentity).map(({ name }) => name)
  }

  #find(name: OperationName): Described | undefined {
    const { route, id } = OPERATIONS[name]
    const { operations } = this.forms.description
    const rules: Array<(one: Described) => boolean> = [
      ({ before }) => before !== undefined && unnamed(before) === unnamed(route),
      ({ method, path }) => unnamed(`${method} ${path}`) === unnamed(route),
      (one) => one.id === id && one.method === route.split(' ')[0],
    ]
    return rules.map((rule) => operations.find(rule)).find((one) => one !== undefined)
  }

  #bind(name: OperationName, described: Described, samples: ReturnType<typeof samplesOf>): void {
    const { description, shapes, validators } = this.forms
    const route = `${described.method} ${described.path}`
    const refuse = (why: string) => this.unserved.push({ what: route, why })
    const spec: Spec = OPERATIONS[name]
    const body = described.body && this.#form(`${route} (request)`, described.body)
    const lost = spec.needs?.find((field) => !(body && partOf(body.shape, field)))
    if (lost) return void refuse(`its request has no field ${lost}`)
    const success = successOf(described)
    if (!success) return void refuse('declares no success')
    const content = success.contents.find(isJsonContent)
    if (!content && success.contents.length > 0) return void refuse('does not return JSON')
    const form = content ? this.#form(route, content) : null
    const made = {
      list: pagesOf(described, samples.summaries),
      get: samples.wholes,
      createMessage: samples.messages.slice(2),
      createSource: samples.sources,
      analytics: samples.analytics,
    }[name]
    const why =
      form && content
        ? form.prove(made, (value) => validators.reasons(content.schema, value))
        : null
    if (why) return void refuse(`what the sandbox knows does not fit: ${why}`)
    const { pagination, parameters } = described
    const status = parameters.find((one) => [one.name, one.before].includes('status'))
    const limit = parameters.find((one) => one.name === pagination?.limit_param)
    this.operations.set(route, {
      name,
      described,
      status: Number(success.code.replace(/x/gi, '0')),
      mediaType: content?.mediaType ?? '',
      headers: Object.fromEntries(
        success.headers
          .filter((one) => one.isRequired && one.name !== description.requestIdHeader)
          .map((one) => [one.name, String(one.example ?? invent(shapes.of(one.schema), []))]),
      ),
      form,
      body: body ?? null,
      query: {
        cursor: pagination?.cursor_param,
        limit: pagination?.limit_param,
        status: status?.name,
      },
      limit: limit?.schema ?? {},
    })
  }

  #bindEvent(kind: Kind, samples: readonly object[]): void {
    const event = this.#event(kind)
    if (!event) {
      this.unserved.push({ what: `event ${kind}`, why: 'is not in the contract' })
      return
    }
    const form = this.#form(`event ${event.kind}`, event.content)
    const envelopes = samples.map((data) => ({
      event: event.kind,
      id: this.sampleIds().event,
      occurred_at: '2026-03-02T09:21:48Z',
      data,
    }))
    const why = form.prove(envelopes, (value) =>
      this.forms.validators.reasons(event.content.schema, value),
    )
    if (why) {
      const what = `event ${event.kind}`
      this.unserved.push({ what, why: `what the sandbox knows does not fit: ${why}` })
      return
    }
    this.events.set(kind, { kind: event.kind, form })
  }

  #event(kind: Kind): DescribedEvent | undefined {
    const { events } = this.forms.description
    return events.find((one) => one.before === kind) ?? events.find((one) => one.kind === kind)
  }

  #form(name: string, { schema, examples }: Content): Form {
    return new Form(name, this.forms.shapes.of(schema), examples, this.forms)
  }

  #idsOf(known: ReadonlyMap<OperationName, Described>) {
    const idOf = (prefix: string, content: Content | undefined, path: readonly string[]) => {
      const whole = content && this.forms.shapes.of(content.schema)
      const example = content?.examples.flatMap((one) => valuesAt(whole, one, path))[0]
      const shape = whole && path.reduce<Shape | undefined>(partOf, whole)
      return { make: idsOf(prefix, shape, example), shape }
    }
    const success = (name: OperationName) => {
      const operation = known.get(name)
      return operation && successOf(operation)?.contents.find(isJsonContent)
    }
    const [event] = this.forms.description.events
    return {
      conversation: idOf('conv_', success('get'), ['id']),
      message: idOf('msg_', success('createMessage'), ['id']),
      source: idOf('src_', success('createSource'), ['id']),
      event: idOf('evt_', event?.content, ['id']),
    }
  }

  /** One id of each sort. */
  sampleIds(): Record<keyof Ids, string> {
    const sandbox = { id: 1, offset: 0, generation: 0 }
    const { conversation, message, source, event } = this.ids
    return {
      conversation: conversation(sandbox, 1),
      message: message(sandbox, 2),
      source: source(sandbox, 3),
      event: event(sandbox, 4),
    }
  }
}

function mapped<T, U>(ids: Record<keyof Ids, T>, change: (id: T) => U): Record<keyof Ids, U> {
  const { conversation, message, source, event } = ids
  return {
    conversation: change(conversation),
    message: change(message),
    source: change(source),
    event: change(event),
  }
}

/** What the contract calls the parts of a page. */
export interface PageNames {
  items: string
  next: string
  /** The parameter that takes the next cursor. */
  cursor: string
}

/** @param described The operation that lists; undefined for the sandbox's own names. */
export function pageNamesOf(described: Described | undefined): PageNames {
  const { pagination } = described ?? {}
  return {
    items: pagination?.items ?? 'data',
    next: pagination?.next_cursor ?? 'next_cursor',
    cursor: pagination?.cursor_param ?? 'cursor',
  }
}

function pagesOf(described: Described, summaries: readonly object[]) {
  const { items, next } = pageNamesOf(described)
  return [
    { [items]: summaries, [next]: null, has_more: false },
    { [items]: [], [next]: null, has_more: false },
    { [items]: summaries, [next]: 'eyJhZnRlciI6', has_more: true },
  ]
}

/** The items of a list, which may be the whole of a page. */
export function itemOf(page: Shape | undefined): Shape | undefined {
  if (!page) return undefined
  const lists = [...page.properties.values()].map(({ shape }) => shape())
  return (page.items ? page : lists.find(({ items }) => items))?.items?.()
}

/** The part of a shape that the sandbox knows by a name. */
export function partOf(shape: Shape | undefined, name: string): Shape | undefined {
  if (!shape) return undefined
  for (const one of [shape, ...shape.variants]) {
    for (const [known, { shape: part, before }] of one.properties) {
      if (before === name) return part()
      if (known === name) return part()
    }
  }
  return undefined
}

/** The name in the contract of a part that the sandbox knows by another. */
export function wireName(shape: Shape | undefined, name: string): string | undefined {
  for (const one of shape ? [shape, ...shape.variants] : []) {
    for (const [known, { before }] of one.properties)
      if (before === name || known === name) return known
  }
  return undefined
}

function valuesAt(shape: Shape | undefined, value: unknown, path: readonly string[]): unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return [value]
  const inside = (value as Record<string, unknown>)?.[wireName(shape, name) ?? name]
  return inside === undefined ? [] : valuesAt(partOf(shape, name), inside, rest)
}

function successOf(operation: Described) {
  const [code] = operation.responses
    .map((one) => one.code)
    .filter((one) => /^2/.test(one))
    .sort()
  return code === undefined ? undefined : declaredFor(operation, Number(code.replace(/x/gi, '0')))
}

function isJsonContent({ mediaType }: Content): boolean {
  return isJson(parseMediaType(mediaType)?.essence ?? '')
}

function prefixOf(id: string): string {
  return /^[A-Za-z]+_/.exec(id)?.[0] ?? ''
}

/** A route without the names of its parameters. */
function unnamed(route: string): string {
  return route.replace(/\{[^}]*\}/g, '{}')
}
