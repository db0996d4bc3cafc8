/** The command that administrates the keys of a hosted server. */
import type { Command } from 'commander'
import { ADMIN_AREA } from '../hosted/settings.ts'
import { LIMIT_NAMES } from '../store/tenants.ts'
import { clientCommand, type Outcome, pathOf } from './client-command.ts'
import { type LimitFlag, parseLimit } from './hosted.ts'
import { InputError } from './inputs.ts'
import type { Mock, MockOptions } from './mock.ts'
import { table, timeOf } from './output.ts'

interface Key {
  id: string
  name: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  archived_at: string | null
  limits: Record<string, number>
  keys: Array<{ hint: string }>
}
type Issued = Key & { key: string }
type Used = Key & { usage: Record<string, number> }

interface Entry {
  at: string
  actor: string
  action: string
  key_id: string
  detail: object
}

const ADMIN_TOKEN = 'SUPPORT_CHAT_MOCK_ADMIN_TOKEN'
const ID: [string, string] = ['<id>', 'the ID of the key: key_…']
const KEYS = `${ADMIN_AREA}/keys`
const PATH = `/_mock/${KEYS}`

export function keysCommand(exit: (code: number) => void): Command {
  const command = (
    name: string,
    description: string,
    run: (mock: Mock, argument: string, options: never) => Promise<Outcome>,
    more: {
      argument?: [string, string]
      options?: (command: Command) => void
      help?: string
    } = {},
  ) =>
    clientCommand<MockOptions>(exit, {
      ...more,
      name,
      description,
      options: (command) => {
        command.option(
          '--admin-token-env <name>',
          'the variable that holds the admin token',
          ADMIN_TOKEN,
        )
        more.options?.(command)
      },
      run: run as never,
    })

  return command(
    'keys',
    'List the keys of a hosted server, issue one, limit, replace or revoke one.',
    async (mock) => {
      const { data } = await mock.get<{ data: Key[] }>(PATH)
      const none = 'No keys. Issue one with `support-chat-mock keys issue NAME`.'
      const rows = data.map((key) => [key.id, key.name, `…${key.keys[0]?.hint}`, stateOf(key)])
      const text = data.length === 0 ? none : table(['ID', 'NAME', 'KEY', 'STATE'], rows)
      return { json: data, text }
    },
    {
      help: `Only a server that was started with serve --hosted has its own keys.

Examples:
  $ support-chat-mock keys issue 'Shop of Ada Moreau' --url https://sandbox.example.com
  $ support-chat-mock keys change key_3q2f --limit requests_per_second=50
  $ support-chat-mock keys rotate key_3q2f --grace PT1H
  $ support-chat-mock keys revoke key_3q2f`,
    },
  )
    .addCommand(
      command(
        'issue',
        'Issue a key with a sandbox.',
        async (mock, name, { limit: limits }: LimitFlag) =>
          issued(await mock.post<Issued>(PATH, { name, ...(limits && { limits }) })),
        { argument: ['<name>', 'who uses the key'], options: withLimit },
      ),
    )
    .addCommand(
      command(
        'show',
        'Show a key, its limits and what its sandbox uses.',
        async (mock, id) => {
          const key = await mock.get<Used>(pathOf(KEYS, id))
          const rows = LIMIT_NAMES.map((name) => [
            name,
            String(key.usage[name] ?? ''),
            String(key.limits[name]),
          ])
          const head = `${key.id}  ${key.name}  …${key.keys[0]?.hint}  ${stateOf(key)}\n\n`
          return { json: key, text: head + table(['LIMIT', 'USED', 'ALLOWED'], rows) }
        },
        { argument: ID },
      ),
    )
    .addCommand(
      command(
        'change',
        'Rename a key, or change its limits.',
        async (mock, id, { name, limit: limits }: LimitFlag & { name?: string }) => {
          if (name === undefined && !limits) {
            throw new InputError('Say what to change: --name or --limit.')
          }
          const json = await mock.patch<Key>(pathOf(KEYS, id), {
            ...(name !== undefined && { name }),
            ...(limits && { limits }),
          })
          return { json, text: `Changed ${id}.` }
        },
        {
          argument: ID,
          options: (command) =>
            withLimit(command.option('--name <text>', 'who uses the key from now on')),
        },
      ),
    )
    .addCommand(
      command(
        'rotate',
        'Replace a key. The sandbox stays.',
        async (mock, id, { grace }: { grace?: string }) =>
          issued(
            await mock.post<Issued>(
              pathOf(KEYS, id, 'rotate'),
              grace === undefined ? {} : { grace },
            ),
          ),
        {
          argument: ID,
          options: (command) =>
            command.option(
              '--grace <duration>',
              'how long the key before it still works, as an ISO 8601 duration (default: PT24H)',
            ),
        },
      ),
    )
    .addCommand(
      command(
        'revoke',
        'Revoke a key for good.',
        async (mock, id) => ({
          json: await mock.post<Key>(pathOf(KEYS, id, 'revoke'), {}),
          text: `Revoked ${id}. It works on no process any more within five seconds.`,
        }),
        { argument: ID },
      ),
    )
    .addCommand(
      command('audit', 'List what was done to keys.', async (mock) => {
        const { data } = await mock.get<{ data: Entry[] }>(`/_mock/${ADMIN_AREA}/audit`)
        const rows = data.map(({ at, actor, action, key_id: id, detail }) => {
          return [timeOf(at), actor, action, id, JSON.stringify(detail)]
        })
        return { json: data, text: table(['TIME', 'ACTOR', 'ACTION', 'KEY', 'DETAIL'], rows) }
      }),
    )
}

function withLimit(command: Command): Command {
  return command.option(
    '--limit <name=number>',
    `what the key may use; repeat it for several: ${LIMIT_NAMES.join(', ')}`,
    parseLimit,
  )
}

function issued(json: Issued): Outcome {
  const text = `${json.id}  ${json.name}\nAPI key, not shown again: ${json.key}`
  return { json, text }
}

function stateOf({ revoked_at: revoked, expires_at: expires, archived_at: archived }: Key): string {
  if (revoked !== null) return `revoked ${revoked.slice(0, 10)}`
  if (archived !== null) return `archived ${archived.slice(0, 10)}`
  return expires === null ? 'in use' : `ends ${expires.slice(0, 10)} unless claimed`
}
