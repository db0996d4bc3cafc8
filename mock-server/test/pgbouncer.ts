/** PgBouncer in transaction mode, in front of a PostgreSQL. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Service, start } from '../../scripts/services/service.ts'
import { programs } from '../../scripts/toolchain/services.ts'
import { databaseUrl } from './postgres.ts'

/**
 * @param connections How many connections to PostgreSQL all clients share.
 * @param database The URL of PostgreSQL.
 */
export async function pgBouncer(connections: number, database = databaseUrl()): Promise<Service> {
  const { hostname, port: target, username, password, pathname } = new URL(database)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chmodSync(folder, 0o755)
  const secret = password ? ` password=${decodeURIComponent(password)}` : ''
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${target} user=${username}${secret}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  // Its own database, which needs no connection to PostgreSQL.
  const place = ['-h', '127.0.0.1', '-p', `${port}`, '-d', 'pgbouncer']
  const isReady = () => spawnSync(programs.pg_isready, ['-q', ...place]).status === 0
  const how = { stopSignal: 'SIGKILL' } as const
  const stop = await start(programs.pgbouncer, [...user, file], isReady, how)
  return {
    url: `postgresql://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
