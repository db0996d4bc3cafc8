import type { Command } from 'commander'
import { clientCommand, pathOf } from './client-command.ts'
import { table, timeOf } from './output.ts'

interface Snapshot {
  name: string
  at: string
}

const NAME: [string, string] = ['<name>', 'the name of the snapshot']

/** The command that keeps states of a sandbox and goes back to them. */
export function snapshotsCommand(exit: (code: number) => void): Command {
  const list = clientCommand(exit, {
    name: 'snapshots',
    description: 'List snapshots of the sandbox, take one, or go back to one.',
    help: `A snapshot has the conversations, the sources, the clock, the endpoints and the deliveries. It outlives a
reset, and a restart of a server that keeps its data in a folder.

Examples:
  $ support-chat-mock snapshots take before-handoff
  $ support-chat-mock snapshots restore before-handoff`,
    run: async (mock) => {
      const { data } = await mock.get<{ data: Snapshot[] }>('/_mock/snapshots')
      const rows = data.map(({ name, at }) => [name, timeOf(at)])
      const none = 'No snapshots. Take one with `support-chat-mock snapshots take NAME`.'
      return { json: data, text: data.length === 0 ? none : table(['NAME', 'TAKEN'], rows) }
    },
  })
  const take = clientCommand(exit, {
    name: 'take',
    description: 'Take a snapshot. Replaces one of the same name.',
    argument: NAME,
    run: async (mock, name) => {
      const json = await mock.post<Snapshot>('/_mock/snapshots', { name })
      return { json, text: `Took the snapshot ${name}.` }
    },
  })
  const restore = clientCommand(exit, {
    name: 'restore',
    description: 'Bring the sandbox back to a snapshot.',
    argument: NAME,
    run: async (mock, name) => {
      const json = await mock.post<{ now: string }>(pathOf('snapshots', name, 'restore'), {})
      return { json, text: `Restored ${name}. The time of the sandbox is ${json.now}.` }
    },
  })
  const remove = clientCommand(exit, {
    name: 'remove',
    description: 'Remove a snapshot.',
    argument: NAME,
    run: async (mock, name) => {
      await mock.delete(pathOf('snapshots', name))
      return { json: {}, text: `Removed the snapshot ${name}.` }
    },
  })
  return list.addCommand(take).addCommand(restore).addCommand(remove)
}
