import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../toolchain/services.ts'
import { type Account, freePort, run, type Service, start } from './service.ts'

/**
 * Starts an empty PostgreSQL that trusts everybody on this machine, and survives no power loss.
 *
 * @param changed Further settings of the server, or others.
 */
export async function startPostgres(
  folder: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const account = serverAccount()
  if (account.uid !== undefined && account.gid !== undefined) {
    chownSync(folder, account.uid, account.gid)
  }
  const data = join(folder, 'data')
  run(programs.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'], account)
  const port = await freePort()
  const settings = {
    fsync: 'off',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    ...changed,
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const isReady = () =>
    spawnSync(programs.pg_isready, ['-q', '-h', '127.0.0.1', '-p', `${port}`]).status === 0
  const args = ['-D', data, '-p', `${port}`, ...options]
  const stop = await start(programs.postgres, args, isReady, { ...account, stopSignal: 'SIGQUIT' })
  return { url: `postgresql://postgres@127.0.0.1:${port}/postgres`, stop }
}

/** PostgreSQL refuses to run as root, so that root lends it Debian's account. */
function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}
