import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from '../toolchain/services.ts'
import { type Account, freePort, run, type Service, start } from './service.ts'

/** Settings of the server, such as `fsync`. */
type Settings = Readonly<Record<string, string>>

const HOST = '127.0.0.1'
const USER = 'postgres'

/** A PostgreSQL that trusts everybody on this machine. */
export class Postgres implements Service {
  readonly url: string
  readonly #data: string
  readonly #port: number
  readonly #settings: Settings
  #stop: Service['stop'] = async () => {}

  private constructor(data: string, port: number, settings: Settings) {
    this.url = `postgresql://${USER}@${HOST}:${port}/postgres`
    this.#data = data
    this.#port = port
    this.#settings = settings
  }

  /** Starts an empty one. @param folder Holds its data. */
  static async create(folder: string, settings: Settings): Promise<Postgres> {
    const data = dataIn(folder)
    const args = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '-N']
    run(programs.initdb, args, serverAccount())
    return Postgres.#open(data, { unix_socket_directories: folder, ...settings })
  }

  static async #open(data: string, settings: Settings): Promise<Postgres> {
    const postgres = new Postgres(data, await freePort(), settings)
    await postgres.start()
    return postgres
  }

  /** Starts it with the data that it has. */
  async start(): Promise<void> {
    const settings = { listen_addresses: HOST, ...this.#settings }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const place = ['-h', HOST, '-p', `${this.#port}`]
    const isReady = () => spawnSync(programs.pg_isready, ['-q', ...place]).status === 0
    const args = ['-D', this.#data, '-p', `${this.#port}`, ...options]
    const how = { ...serverAccount(), stopSignal: 'SIGQUIT' } as const
    this.#stop = await start(programs.postgres, args, isReady, how)
  }

  /** Starts a copy that follows it, and that `SELECT pg_promote()` makes independent. */
  async standby(folder: string): Promise<Postgres> {
    const data = dataIn(folder)
    const source = ['-h', HOST, '-p', `${this.#port}`, '-U', USER]
    const how = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    run(programs.pg_basebackup, ['-D', data, ...source, ...how], serverAccount())
    return Postgres.#open(data, { ...this.#settings, unix_socket_directories: folder })
  }

  /** Ends it at once, as a crash does. */
  stop(): Promise<void> {
    return this.#stop()
  }
}

/**
 * Starts an empty PostgreSQL, which survives no power loss unless the settings say so.
 *
 * @param folder Holds its data.
 */
export function startPostgres(folder: string, settings: Settings = {}): Promise<Postgres> {
  return Postgres.create(folder, { fsync: 'off', ...settings })
}

/** A folder for the data, which the server can create. */
function dataIn(folder: string): string {
  const { uid, gid } = serverAccount()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return join(folder, 'data')
}

/** PostgreSQL refuses to run as root, so that root lends it Debian's account. */
function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}
