/** The options of `serve --hosted`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { blockOf } from '../door/client.ts'
import { type HostedOptions, LIMITS, limitOf, ROLES, type Role } from '../hosted/options.ts'
import { type HostedSettings, readSettings, SettingsError } from '../hosted/settings.ts'
import type { Place } from '../store/open.ts'
import { LIMIT_NAMES, type Limits } from '../store/tenants.ts'
import { InputError } from './inputs.ts'
import { parseDays, parseSeconds } from './numbers.ts'

/** What `--limit` gave. */
export interface LimitFlag {
  limit?: Partial<Limits>
}

export interface HostedFlags extends LimitFlag {
  hosted?: true
  role: Role
  idle?: number
  archiveRetention: number
  drain: number
  trustProxy?: string[]
}

const DAY = 24 * 3_600_000
/** What a hosted server does not have: its data is in PostgreSQL, and it stays as it was started. */
const OTHERS = [
  'stateless',
  'memory',
  'dataDir',
  'durability',
  'controlTokenEnv',
  'watch',
  'record',
  'https',
  'cert',
]

/** What means nothing without `--hosted`. */
const ONLY_HOSTED = ['role', 'limit', 'idle', 'archiveRetention', 'trustProxy']

/** Adds the options. */
export function hostedOptions(command: Command): Command {
  const names = Object.keys(LIMITS).join(', ')
  return command
    .addOption(
      new Option(
        '--hosted',
        'serve many integrators, each with its own key, from PostgreSQL; see the settings below',
      ).conflicts(OTHERS),
    )
    .addOption(
      new Option('--role <name>', 'what this process does: serve requests, deliver events, or both')
        .choices([...ROLES])
        .default('all'),
    )
    .option(
      '--trust-proxy <address>',
      'believe X-Forwarded-For of this proxy, an address or a CIDR block; repeat it for several',
      parseProxy,
    )
    .option('--limit <name=number>', `what a key may use by default: ${names}`, parseLimit)
    .option(
      '--idle <days>',
      'archive a sandbox that no one has used for so long, until its key is used again; pending deliveries keep it (default: never)',
      parseDays,
    )
    .option(
      '--archive-retention <days>',
      'how long to keep an archived sandbox; its key then gets a new one',
      parseDays,
      365,
    )
    .option(
      '--drain <seconds>',
      'how long to serve after SIGTERM, until the balancer sends no more requests',
      parseSeconds,
      0,
    )
}

/** @throws {InputError} for an option that would be ignored. */
export function checkOnlyHosted(command: Command): void {
  if (command.getOptionValue('hosted')) return
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  const ignored = command.options.find(
    (option) => ONLY_HOSTED.includes(option.attributeName()) && isGiven(option.attributeName()),
  )
  if (!ignored) return
  throw new InputError(
    `${ignored.long} means nothing without --hosted. Add --hosted, or leave it out.`,
  )
}

function parseProxy(text: string, before: string[] = []): string[] {
  try {
    blockOf(text)
  } catch {
    throw new InvalidArgumentError('Use an IP address or a CIDR block, for example 10.0.0.0/8.')
  }
  return [...before, text]
}

export function parseLimit(text: string, before: Partial<Limits> = {}): Partial<Limits> {
  const [, given, number = ''] = /^(\w+)=(.*)$/.exec(text) ?? []
  const name = LIMIT_NAMES.find((one) => one === given)
  const limit = name && limitOf(name, number)
  if (name === undefined || limit == null) {
    throw new InvalidArgumentError(
      `Use the name of a limit and a number, for example conversations=${LIMITS.conversations}.`,
    )
  }
  return { ...before, [name]: limit }
}

/**
 * Where the data of a hosted server is, and how it serves.
 *
 * @throws {InputError} for settings that are missing or cannot be used
 */
export function hostedFrom(
  { role, limit, idle, archiveRetention, trustProxy: proxies }: HostedFlags,
  onError: (message: string) => void,
  environment = process.env,
): { store: Place; hosted: HostedOptions } {
  const settings = settingsOf(environment)
  const { databaseUrl: url, directUrl, cipher, adminToken, publicUrl, egressProxy } = settings
  const delivers = role !== 'api'
  const kept = {
    idle: idle === undefined ? undefined : idle * DAY,
    archive: archiveRetention * DAY,
  }
  return {
    store: { postgres: { url, directUrl, cipher, delivers, ...kept, onError } },
    hosted: { role, adminToken, publicUrl, limits: limit, proxies, egressProxy },
  }
}

function settingsOf(environment: NodeJS.ProcessEnv): HostedSettings {
  try {
    return readSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) throw new InputError(error.message)
    throw error
  }
}
