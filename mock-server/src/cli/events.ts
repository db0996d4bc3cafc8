import type { Command } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { clientCommand } from './client-command.ts'
import { InputError } from './inputs.ts'
import type { Mock, MockOptions } from './mock.ts'
import { table, timeOf } from './output.ts'

type Event = Record<string, unknown>

interface Options extends MockOptions {
  endpoint?: string
}

/** The command that shows events and sends them again. */
export function eventsCommand(exit: (code: number) => void): Command {
  const list = clientCommand(exit, {
    name: 'events',
    description: 'List events, show one, or send one again.',
    argument: ['[id]', 'the ID of an event, to show it with its deliveries'],
    help: `Lists the newest 1,000 events, newest first.

Examples:
  $ support-chat-mock events
  $ support-chat-mock events evt_00A0000000001
  $ support-chat-mock events resend evt_00A0000000001`,
    run: async (mock, id) => {
      const events = await eventsOf(mock)
      return id === '' ? { json: events, text: listed(events) } : shown(mock, find(events, id), id)
    },
  })
  const resend = clientCommand<Options>(exit, {
    name: 'resend',
    description: 'Send an event again to the endpoints that got it.',
    argument: ['<id>', 'the ID of an event'],
    options: (command) => void command.option('--endpoint <id>', 'only to this endpoint'),
    run: async (mock, id, { endpoint }) => {
      find(await eventsOf(mock), id)
      const body = { event: id, ...(endpoint && { endpoint }) }
      const json = await mock.post<{ replayed: number }>('/_mock/replay', body)
      const none = `No delivery of ${id} can be replayed: none exists, or all are pending.`
      const { replayed } = json
      const text = `Replaying ${replayed} ${replayed === 1 ? 'delivery' : 'deliveries'} of ${id}.`
      return { json, text: replayed === 0 ? none : text }
    },
  })
  return list.addCommand(resend)
}

async function eventsOf(mock: Mock): Promise<Event[]> {
  return (await mock.get<{ data: Event[] }>('/_mock/events')).data
}

/** @throws {InputError} */
function find(events: readonly Event[], id: string): Event {
  const found = events.find((event) => event.id === id)
  if (found) return found
  throw new InputError(`There is no event ${id}. \`support-chat-mock events\` lists them.`)
}

async function shown(mock: Mock, event: Event, id: string) {
  const query = new URLSearchParams({ event: id })
  const { data } = await mock.get<{ data: Delivery[] }>(`/_mock/deliveries?${query}`)
  const deliveries = data.map((one) => [
    one.id,
    one.endpoint_id,
    one.state,
    `${one.attempts.length}`,
  ])
  const rows = table(['DELIVERY', 'ENDPOINT', 'STATE', 'ATTEMPTS'], deliveries)
  const text = `${JSON.stringify(event, null, 2)}\n\n${data.length === 0 ? 'No endpoint got it.' : rows}`
  return { json: { event, deliveries: data }, text }
}

function listed(events: readonly Event[]): string {
  if (events.length === 0) return 'No events. Send one with `support-chat-mock trigger KIND`.'
  const rows = events.map(({ id, event, occurred_at: at }) => {
    return [String(id), String(event), timeOf(String(at))]
  })
  return table(['ID', 'KIND', 'OCCURRED'], rows)
}
