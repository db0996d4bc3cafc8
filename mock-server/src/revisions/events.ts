/** Makes the events of all revisions of a contract: each in its own form, for the endpoints that follow it. */
import { type DescribedEvent, object } from '../contract/document.ts'
import { type DriftCheck, refusing } from '../contract/drift.ts'
import { Form } from '../contract/form.ts'
import type { Bindings } from '../sandbox/bindings.ts'
import { type EventSource, Events } from '../sandbox/events.ts'
import { FUTURE_KIND } from '../sandbox/future.ts'
import type { Kind } from '../sandbox/samples.ts'
import type { Event } from '../store/types.ts'

/** What a revision makes its events with. */
export interface Maker {
  name: string
  bindings: Bindings
  drift: DriftCheck | undefined
  /** The URL of a conversation. */
  urlOf: (conversation: string) => string
}

interface Member extends Maker {
  events: Events
  /** By kind. */
  forms: Map<string, Form>
}

/** The sources of the events of revisions, in their order. Each makes those of the others as well. */
export function eventsOf(makers: readonly Maker[]): EventSource[] {
  const members = makers.map((maker) => ({ ...maker, events: new Events(maker), forms: new Map() }))
  const [, ...others] = makers.map(({ name }) => name)
  return members.map((member) => new AllEvents(member, members, others))
}

class AllEvents implements EventSource {
  readonly #own: Member
  readonly #all: readonly Member[]
  /** The names of all but the first. */
  readonly #others: readonly string[]

  constructor(own: Member, all: readonly Member[], others: readonly string[]) {
    this.#own = own
    this.#all = all
    this.#others = others
  }

  of(kind: Kind, id: string, at: number, data: object): Event[] {
    return this.#all.flatMap((member) =>
      member.events.of(kind, id, at, data).map((event) => this.#for(member, event)),
    )
  }

  example(kind: string, id: string, at: number, given?: Record<string, unknown>) {
    const [event] = this.#own.events.example(kind, id, at, given)
    // For the endpoints of all revisions: none of them knows it.
    if (event.kind === FUTURE_KIND) return [event] satisfies [Event]
    const check = (work: () => void) => (given ? refusing(work) : work())
    const others = this.#all
      .filter((member) => member !== this.#own)
      .flatMap((member) => this.#translated(event, member, check))
    return [this.#for(this.#own, event), ...others] satisfies [Event, ...Event[]]
  }

  /** An event for the endpoints of a revision: of the first one, all that follow no other. */
  #for({ name }: Member, event: Event): Event {
    const isFirst = !this.#others.includes(name)
    return isFirst ? { ...event, others: this.#others } : { ...event, revision: name }
  }

  /** An event of this revision as another one has it. None if that has no such kind. */
  #translated(event: Event, to: Member, check: (work: () => void) => void): Event[] {
    const from = described(this.#own, event.kind)
    const target = from && to.bindings.forms.description.events.find((one) => isSame(one, from))
    if (!target) return []
    const own = formOf(this.#own, from)
    const value = { ...object(own.restore(JSON.parse(event.body))), event: target.kind }
    const body = JSON.stringify(formOf(to, target).of(this.#linked(value, to)))
    check(() => to.drift?.event(target.kind, body))
    return [this.#for(to, { ...event, kind: target.kind, body })]
  }

  /** An event in the sandbox's own words, with the URL of its conversation in another revision. */
  #linked(event: Record<string, unknown>, to: Member): unknown {
    const { conversation_id, transcript_url } = object(event.data)
    const id = String(conversation_id)
    if (transcript_url !== this.#own.urlOf(id)) return event
    return { ...event, data: { ...object(event.data), transcript_url: to.urlOf(id) } }
  }
}

function described({ bindings }: Member, kind: string): DescribedEvent | undefined {
  return bindings.forms.description.events.find((one) => one.kind === kind)
}

/** Whether two revisions mean the same event. */
function isSame(one: DescribedEvent, other: DescribedEvent): boolean {
  return (one.before ?? one.kind) === (other.before ?? other.kind)
}

function formOf({ bindings, forms }: Member, { kind, content }: DescribedEvent): Form {
  const known = forms.get(kind)
  if (known) return known
  const shape = bindings.forms.shapes.of(content.schema)
  const form = new Form(`event ${kind}`, shape, content.examples, bindings.forms)
  forms.set(kind, form)
  return form
}
