import { type Command, Option } from 'commander'
import type { Delivery } from '../control/shown.ts'
import { STATES } from '../store/types.ts'
import { clientCommand, pathOf } from './client-command.ts'
import { InputError } from './inputs.ts'
import type { MockOptions } from './mock.ts'
import { judged, table, timeOf } from './output.ts'

interface Filter {
  state?: string
  kind?: string
  endpoint?: string
}

/** A delivery with what its attempts sent. */
interface Whole extends Omit<Delivery, 'attempts'> {
  url: string
  attempts: Array<
    Delivery['attempts'][number] & {
      request: { headers: Record<string, string>; body: string } | null
    }
  >
}

/** Adds the options that choose deliveries. */
export function withFilter(command: Command, states: readonly string[]): Command {
  return command
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(states))
    .option('--kind <kind>', 'only deliveries of this kind of event')
    .option('--endpoint <id>', 'only deliveries to this endpoint')
}

/** The options of a filter that were given. */
export function filterOf({ state, kind, endpoint }: Filter): Record<string, string> {
  return { ...(state && { state }), ...(kind && { kind }), ...(endpoint && { endpoint }) }
}

/** The command that lists deliveries, shows one, and holds them back. */
export function deliveriesCommand(exit: (code: number) => void): Command {
  const list = clientCommand<Filter & MockOptions>(exit, {
    name: 'deliveries',
    description: 'List deliveries and their results, show one, or hold them back.',
    argument: ['[id]', 'the ID of a delivery, to show what was sent and what came back'],
    options: (command) => withFilter(command, STATES),
    help: `Lists the newest 1,000 deliveries, newest first. A delivery is pending until an attempt succeeds.
It is dead after five failed attempts, or when the receiver refuses it. --json includes every
attempt.

Examples:
  $ support-chat-mock deliveries
  $ support-chat-mock deliveries dlv_1
  $ support-chat-mock deliveries --state dead --kind conversation.handoff
  $ support-chat-mock deliveries pause
  $ support-chat-mock deliveries resume --order reverse`,
    run: async (mock, id, options) => {
      const filter = filterOf(options)
      if (id === '') {
        const query = new URLSearchParams(filter)
        const path = `/_mock/deliveries?${query}`.replace(/\?$/, '')
        const { data, paused } = await mock.get<{ data: Delivery[]; paused: boolean }>(path)
        const note = paused ? `\n${PAUSED}` : ''
        return { json: data, text: inWords(data, Object.keys(filter)) + note }
      }
      if (Object.keys(filter).length > 0)
        throw new InputError(
          '--state, --kind and --endpoint choose from a list. Remove them or the ID.',
        )
      const one = await mock.get<Whole>(pathOf('deliveries', id))
      return { json: one, text: detail(one) }
    },
  })
  const pause = clientCommand(exit, {
    name: 'pause',
    description: 'Hold all deliveries back. Events still happen.',
    run: async (mock) => ({ json: await mock.post('/_mock/deliveries/pause', {}), text: PAUSED }),
  })
  const resume = clientCommand<MockOptions & { order?: string }>(exit, {
    name: 'resume',
    description: 'Send what waited.',
    options: (command) =>
      void command.addOption(
        new Option('--order <order>', 'one by one in this order; default is at once').choices([
          'original',
          'reverse',
          'shuffled',
        ]),
      ),
    run: async (mock, _, { order }) => ({
      json: await mock.post('/_mock/deliveries/resume', { ...(order && { order }) }),
      text: 'The deliveries are resumed.',
    }),
  })
  const steps = Object.entries(STEPS).map(([name, { description, text }]) =>
    clientCommand(exit, {
      name,
      description,
      argument: ['<id>', 'the ID of a delivery'],
      run: async (mock, id) => {
        const json = await mock.post<Delivery>(pathOf('deliveries', id, name), {})
        return { json, text: `${text} ${id}: ${json.kind} ${json.event_id}.` }
      },
    }),
  )
  return [pause, resume, ...steps].reduce((command, step) => command.addCommand(step), list)
}

const PAUSED = 'The deliveries are paused. Send them with `support-chat-mock deliveries resume`.'

const STEPS: Readonly<Record<string, { description: string; text: string }>> = {
  cancel: { description: 'Make a pending delivery dead.', text: 'Cancelled' },
  retry: { description: 'Make the next attempt of a pending delivery now.', text: 'Retrying' },
}

function inWords(deliveries: readonly Delivery[], filters: readonly string[]): string {
  if (deliveries.length === 0 && filters.length > 0) {
    const given = filters.map((name) => `--${name}`).join(' and ')
    return `No deliveries match. Leave out ${given} to list all.`
  }
  if (deliveries.length === 0) {
    return 'No deliveries. Add an endpoint with `support-chat-mock listen --forward-to URL`.'
  }
  const headings = ['ID', 'KIND', 'EVENT', 'ENDPOINT', 'STATE', 'ATTEMPTS', 'LAST', 'RESULT']
  return table(
    headings,
    deliveries.map(({ id, kind, event_id, endpoint_id, state, reason, attempts }) => {
      const last = attempts.at(-1)
      const result = reason ?? (last ? (last.reason ?? String(last.status)) : '')
      const at = last ? timeOf(last.at) : ''
      return [id, kind, event_id, endpoint_id, state, String(attempts.length), at, result]
    }),
  )
}

function detail(delivery: Whole): string {
  const { id, kind, event_id, endpoint_id, url, state, reason, due_at, attempts } = delivery
  const head = [
    `${id} ${kind} ${event_id} → ${endpoint_id} ${url}`,
    judged(state) + (reason ? `: ${reason}` : '') + (due_at ? `, next attempt ${due_at}` : ''),
  ]
  const tries = attempts.map(({ at, status, reason, headers, body, request }, index) => {
    const sent = request ? block('>', request) : []
    const result = judged(reason ?? String(status))
    return [
      '',
      `Attempt ${index + 1}, ${at}: ${result}`,
      ...sent,
      ...block('<', { headers, body }),
    ].join('\n')
  })
  return [...head, ...tries].join('\n')
}

/** Headers and a body, as curl shows them. */
function block(mark: string, { headers, body }: { headers: Record<string, string>; body: string }) {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...fields, ...(body ? ['', ...body.split('\n')] : [])].map((line) =>
    `${mark} ${line}`.trimEnd(),
  )
}
