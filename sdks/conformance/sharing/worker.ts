/**
 * A store in a process of its own: `node worker.ts KIND URL NAME HOLDER`. It answers each line of its standard
 * input with a line: `setup`, `begin ID`, `done ID` and `release ID`.
 */
import { createInterface } from 'node:readline'
import { PostgresDedupeStore } from '@support-chat/sdk/webhooks/postgres'
import { RedisDedupeStore } from '@support-chat/sdk/webhooks/redis'
import { SqliteDedupeStore } from '@support-chat/sdk/webhooks/sqlite'
import { BetterSqlite3, IORedis, Pg } from '../../../toolchains/databases.ts'

const [kind = '', url = '', name = '', holder = ''] = process.argv.slice(2)

function storeOf() {
  if (kind === 'redis') return new RedisDedupeStore(new IORedis(url), { prefix: name, holder })
  if (kind === 'postgres') {
    const pool = new Pg.Pool({ connectionString: url })
    return new PostgresDedupeStore(pool, { table: name, holder })
  }
  return new SqliteDedupeStore(new BetterSqlite3(url), { table: name, holder })
}

const store = storeOf()
const tokens = new Map<string, string>()

async function answer(act: string, id: string): Promise<string> {
  if (act === 'setup' && 'setup' in store) await store.setup()
  if (act === 'done') await store.done(id, tokens.get(id) ?? '')
  if (act === 'release') await store.release(id, tokens.get(id) ?? '')
  if (act !== 'begin') return 'ok'
  const lease = await store.begin(id)
  if (lease.state === 'new') tokens.set(id, lease.token)
  return lease.state === 'in_progress' ? `in_progress ${lease.holder}` : lease.state
}

for await (const line of createInterface({ input: process.stdin })) {
  const [act = '', id = ''] = line.split(' ')
  try {
    process.stdout.write(`${await answer(act, id)}\n`)
  } catch (error) {
    process.stdout.write(`error ${String(error).replaceAll('\n', ' ')}\n`)
  }
}
process.exit()
