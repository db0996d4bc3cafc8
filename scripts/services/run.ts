/**
 * Runs a command beside real databases: `node run.ts redis postgres -- npm test`. They listen on free
 * ports of 127.0.0.1 while the command runs, which finds them in TEST_REDIS_URL and TEST_POSTGRES_URL.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { MissingProgram } from '../toolchain/find.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { Service } from './service.ts'

const STARTS: Readonly<Record<string, (folder: string) => Promise<Service>>> = {
  redis: startRedis,
  postgres: startPostgres,
}
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const USAGE = `Usage: node scripts/services/run.ts ${Object.keys(STARTS).join('|')} … -- COMMAND …\n`

const separator = process.argv.indexOf('--')
const names = process.argv.slice(2, separator)
const [command, ...args] = process.argv.slice(separator + 1)
if (separator < 0 || command === undefined || !names.every((name) => Object.hasOwn(STARTS, name))) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  process.exitCode = await beside(names, command, args)
}

async function beside(
  names: readonly string[],
  command: string,
  args: readonly string[],
): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'services-'))
  chmodSync(root, 0o755) // for the account of PostgreSQL
  const services: Service[] = []
  const env = { ...process.env }
  try {
    for (const name of names) {
      const folder = join(root, name)
      mkdirSync(folder)
      const service = await STARTS[name]?.(folder)
      if (!service) continue
      services.push(service)
      env[`TEST_${name.toUpperCase()}_URL`] = service.url
    }
    return await exitCodeOf(command, args, env)
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    for (const service of services) await service.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

async function exitCodeOf(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  // The command gets the signals of a terminal itself; it ends first, then the databases.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  try {
    const [code, signal] = await once(child, 'exit')
    return code ?? 128 + constants.signals[signal as NodeJS.Signals]
  } catch (error) {
    process.stderr.write(`${command} cannot be run: ${(error as Error).message}\n`)
    return 127
  }
}
