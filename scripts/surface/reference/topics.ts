// The pages of each language's reference. They are the same in all languages, so that readers find their way.
import type { Item } from './item.ts'

export interface Topic {
  id: string
  title: string
  /** What the page is about. */
  text: string
  /** Files of any language. What stands in the first comes first. */
  files: readonly RegExp[]
}

/** A file belongs to the first topic that knows it, what no topic knows to the client. */
export const TOPICS: readonly Topic[] = [
  {
    id: 'testing',
    title: 'Test kit',
    text: 'Deliveries, fixtures and mocks for the tests of an integration.',
    files: [
      /testing|msw|fixtures|mocks|samples|_fake|_mock|_fixture| \w*test(?:ing)?$|generated\/handlers/,
    ],
  },
  {
    id: 'tracing',
    title: 'Tracing',
    text: 'Spans for calls and for deliveries.',
    files: [/opentelemetry|otel$/],
  },
  {
    id: 'stores',
    title: 'Stores',
    text: 'Where a receiver keeps the IDs of the events that it has handled.',
    files: [
      /stores|dedupe|webhook.*(?:store|redis|postgres|sqlite|sql|memory|sink)| (?:redis|postgres|sqlite)$/,
    ],
  },
  {
    id: 'events',
    title: 'Events',
    text: 'The types of the events that webhooks deliver.',
    files: [/generated\/events|events\.gen|webhook.*event|events\.rbs/],
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    text: 'Verification, routing and reception of deliveries.',
    files: [
      /webhooks?\/(?:webhooks|_verifier)|webhooks\.(?:go|rb) /,
      /webhook/,
      /signature|router/,
    ],
  },
  {
    id: 'types',
    title: 'Types',
    text: 'What the methods take and return.',
    files: [/generated\/types|models\.gen|types\.rbs|generated\/contract|contract\.gen/],
  },
  {
    id: 'errors',
    title: 'Errors',
    text: 'What a call raises, and what each error says about its outcome.',
    files: [/\bnames\./, /errors|problem|failure|aborted/],
  },
  {
    id: 'resources',
    title: 'Resources',
    text: 'The operations of the API as methods.',
    files: [/resources|services/],
  },
  {
    id: 'client',
    title: 'Client',
    text: 'The client, its options, pages, responses and hooks.',
    files: [
      /generated\/client|client\.gen/,
      /client|base|sync|aio/,
      /options|settings/,
      /page/,
      /./,
    ],
  },
]

/** The order in which readers need them. */
const ORDER = 'client resources types errors webhooks events stores testing tracing'.split(' ')

export const PAGES: readonly Topic[] = ORDER.map((id) => topicBy(id))

/** The topic of each declaration. */
export function topicsOf(items: readonly Item[]): Map<Item, Topic> {
  const names = new Set(items.map(({ name }) => name))
  const events = topicBy('events')
  const webhooks = topicBy('webhooks')
  return new Map(
    items.map((item) => {
      const own = TOPICS.find(({ files }) => files.some((file) => file.test(placeOf(item))))
      const isOfEvent = own?.id === 'types' && ofEvent(item.name, names)
      if (own?.id === 'client' && /^webhooks?_?(?=[A-Z])/i.test(item.name)) return [item, webhooks]
      return [item, isOfEvent ? events : (own ?? topicBy('client'))]
    }),
  )
}

/** Whether a type of the contract is an event, or the data of one. */
function ofEvent(name: string, names: ReadonlySet<string>): boolean {
  const event = name.replace(/Data$/, 'Event')
  return /Event(?:Envelope|Kind)?$/.test(name) || (event !== name && names.has(event))
}

/** What comes first on a page. */
export function rankOf(item: Item, topic: Topic): number {
  return topic.files.findIndex((file) => file.test(placeOf(item)))
}

/** Where it is declared, and the last part of where users import it from. */
function placeOf({ file, from }: Item): string {
  return `${file} ${from?.split(/[/.]/).at(-1) ?? ''}`
}

function topicBy(id: string): Topic {
  const found = TOPICS.find((topic) => topic.id === id)
  if (!found) throw new Error(`There is no topic ${id}.`)
  return found
}
