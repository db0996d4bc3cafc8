import { type Command, InvalidArgumentError } from 'commander'
import { effectOf, type FaultRule, type NewRule } from '../faults/rules.ts'
import { clientCommand, pathOf } from './client-command.ts'
import type { MockOptions } from './mock.ts'
import { table } from './output.ts'

interface Options extends MockOptions {
  method?: string
  path?: string
  status?: number
  retryAfter?: number
  times?: number
  rate?: number
  delay?: string
  reset?: true
  truncate?: true
}

const LIST = '/_mock/faults'

/** The command that lets requests to the API fail. */
export function faultsCommand(exit: (code: number) => void): Command {
  const list = clientCommand(exit, {
    name: 'faults',
    description: 'List fault rules, or let requests to the API fail.',
    help: `A rule makes matching requests of the key fail, without a change of your program. Rules are tried in
order. They end with a reset and when the server stops.

Examples:
  $ support-chat-mock faults add --path /v1/conversations --status 429 --retry-after 2 --times 1
  $ support-chat-mock faults add --rate 0.1 --delay 2s
  $ support-chat-mock faults
  $ support-chat-mock faults clear`,
    run: async (mock) => {
      const { data } = await mock.get<{ data: FaultRule[] }>(LIST)
      return { json: data, text: listed(data) }
    },
  })
  const add = clientCommand<Options>(exit, {
    name: 'add',
    description: 'Add a rule.',
    options: withRule,
    run: async (mock, _, options) => {
      const { method, path, status, retryAfter, times, rate, delay, reset, truncate } = options
      const given = { method, path, status, retry_after: retryAfter, times, rate, delay, reset }
      const rule = await mock.post<FaultRule>(LIST, { ...given, truncate } satisfies NewRule)
      return { json: rule, text: `${rule.id}: ${effectOf(rule)}` }
    },
  })
  const clear = clientCommand(exit, {
    name: 'clear',
    description: 'Remove a rule, or all.',
    argument: ['[id]', 'the ID of a rule'],
    run: async (mock, id) => {
      await mock.delete(id === '' ? LIST : pathOf('faults', id))
      return { json: {}, text: id === '' ? 'Removed all fault rules.' : `Removed ${id}.` }
    },
  })
  return list.addCommand(add).addCommand(clear)
}

function withRule(command: Command): void {
  command
    .option('--method <method>', 'only requests with this method')
    .option('--path <path>', 'a path, a template such as /v1/things/{id}, or a start followed by *')
    .option('--status <status>', 'the status of the response, 400 to 599', number)
    .option('--retry-after <seconds>', 'the Retry-After of the response', number)
    .option('--times <count>', 'how many matching requests count', number)
    .option('--rate <share>', 'the share that fails, 0 to 1', number)
    .option('--delay <time>', 'how long the response waits, such as 2s or 300ms')
    .option('--reset', 'break the connection; nothing is done')
    .option('--truncate', 'do everything, and break the connection within the response')
}

function listed(rules: readonly FaultRule[]): string {
  if (rules.length === 0) return 'No fault rules. Add one with `support-chat-mock faults add`.'
  return table(
    ['ID', 'METHOD', 'PATH', 'FAULT', 'LEFT', 'FAILED'],
    rules.map((rule) => {
      const { id, method, path, left, failed } = rule
      return [id, method ?? 'any', path ?? 'any', effectOf(rule), `${left ?? 'all'}`, `${failed}`]
    }),
  )
}

function number(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number.')
}
