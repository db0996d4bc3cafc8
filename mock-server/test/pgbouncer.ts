/** PgBouncer in transaction mode, in front of the PostgreSQL of the tests. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, start } from '../../scripts/services/service.ts'
import { programs } from '../../scripts/toolchain/services.ts'
import { databaseUrl } from './postgres.ts'

/** Debian has it, and no package registry. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

export interface Pooler {
  url: string
  stop: () => Promise<void>
}

/**
 * @param connections How many connections to PostgreSQL all clients share.
 * @param database The URL of PostgreSQL.
 */
export async function pgBouncer(connections: number, database = databaseUrl()): Promise<Pooler> {
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
  const isReady = () =>
    spawnSync(programs.pg_isready, ['-q', '-h', '127.0.0.1', '-p', `${port}`]).status === 0
  const stop = await start('pgbouncer', [...user, file], isReady, { stopSignal: 'SIGKILL' })
  return {
    url: `postgresql://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}
