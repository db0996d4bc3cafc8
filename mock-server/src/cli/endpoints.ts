import type { Command } from 'commander'
import { clientCommand, pathOf } from './client-command.ts'
import { table } from './output.ts'

interface Endpoint {
  id: string
  url: string
  events: string[] | null
  disabled: boolean
}

const ID: [string, string] = ['<id>', 'the ID of an endpoint']

/** The command that lists endpoints and switches them off and on. */
export function endpointsCommand(exit: (code: number) => void): Command {
  const list = clientCommand(exit, {
    name: 'endpoints',
    description: 'List endpoints, disable one, or enable one.',
    help: `A disabled endpoint gets no events. Its pending deliveries wait until it is enabled.

Examples:
  $ support-chat-mock endpoints
  $ support-chat-mock endpoints disable ep_00A0000001`,
    run: async (mock) => {
      const { data } = await mock.get<{ data: Endpoint[] }>('/_mock/endpoints')
      const rows = data.map(({ id, url, events, disabled }) => {
        return [id, url, events?.join(', ') ?? 'all', disabled ? 'disabled' : 'enabled']
      })
      const none = 'No endpoints. Add one with `support-chat-mock listen --forward-to URL`.'
      const text = table(['ID', 'URL', 'EVENTS', 'STATE'], rows)
      return { json: data, text: data.length === 0 ? none : text }
    },
  })
  const steps = ['disable', 'enable'].map((step) =>
    clientCommand(exit, {
      name: step,
      description: `${step[0]?.toUpperCase()}${step.slice(1)} an endpoint.`,
      argument: ID,
      run: async (mock, id) => {
        const json = await mock.post<Endpoint>(pathOf('endpoints', id, step), {})
        return { json, text: `The endpoint ${id} is ${step}d.` }
      },
    }),
  )
  return steps.reduce((command, step) => command.addCommand(step), list)
}
