import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { packageVersion } from '../assets.ts'
import type { Report } from '../certify/index.ts'
import { targetOf } from '../delivery/sender.ts'
import { createLog } from '../door/log.ts'
import { startServer } from '../server.ts'
import { EXIT } from './exit.ts'
import { collect, InputError, readSecret, refuseSecrets } from './inputs.ts'
import { print, styled } from './output.ts'
import { reportingErrors } from './report.ts'

interface Options {
  receiver?: string
  secretEnv?: string[]
  effects?: string
  allowPublic?: true
  skipVerify?: true
  contract?: string
  minScore: number
  json?: true
  html?: string
  badge?: string
}

/** The command that certifies an integration. */
export function certifyCommand(exit: (code: number) => void): Command {
  const command = new Command('certify')
    .description('Check what a receiver of webhooks does with everything that may arrive.')
    .requiredOption('--receiver <url>', 'the URL of your receiver')
    .option(
      '--secret-env <name>',
      'the variable that holds the signing secret (default: SUPPORT_CHAT_WEBHOOK_SECRET); repeat it for a receiver that accepts two, newest first',
      collect,
    )
    .option('--effects <url>', 'a URL that lists the IDs of the events that were handled, as JSON')
    .option('--allow-public', 'call a receiver that is not in a private network')
    .option('--skip-verify', 'accept any certificate of your receiver')
    .option('--contract <file>', 'the OpenAPI document whose events are sent')
    .option('--min-score <percent>', 'the score that is enough for exit code 0', parsePercent, 100)
    .option('--json', 'print JSON')
    .option('--html <file>', 'write the report as a page')
    .option('--badge <file>', 'write a badge as SVG')
    .addHelpText(
      'after',
      `
Sends genuine, repeated, late, unknown, forged and broken events to your receiver, each with a new
ID, and judges the responses. Start the receiver with the same secret first. Never use a receiver
in production: genuine events start real work.

A response does not show what the receiver did. Let a URL of your program list the IDs of the
events that it has handled, and pass it as --effects: a JSON list, or an object of IDs and numbers.
Without it, these checks are not observable, and do not count.

The score is the share of points of all checks that could be judged. docs/certify.md explains each
check. certify.schema.json in the package describes the JSON. Secrets are in no report.

Exit codes: 0 at least --min-score, 1 less, 2 wrong usage, or a receiver that must not be called.

Examples:
  $ support-chat-mock certify --receiver http://127.0.0.1:3000/webhooks
  $ support-chat-mock certify --receiver http://127.0.0.1:3000/webhooks \\
      --secret-env NEW_SECRET --secret-env OLD_SECRET \\
      --effects http://127.0.0.1:3000/handled --html report.html --badge badge.svg`,
    )
    .action((options: Options) =>
      reportingErrors(command, exit, async () => exit(await certify(options))),
    )
  return refuseSecrets(command)
}

const SECRET = 'SUPPORT_CHAT_WEBHOOK_SECRET'

async function certify(options: Options): Promise<number> {
  const { receiver = '', effects, allowPublic, skipVerify } = options
  for (const [option, url] of Object.entries({ receiver, effects })) checkUrl(`--${option}`, url)
  const [first, ...others] = secretsOf(options.secretEnv ?? [SECRET])
  // Loaded here, since no other command needs it.
  const { certifyReceiver, EffectsError, Unusable } = await import('../certify/index.ts')
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    contract: options.contract,
    log: createLog('error'),
    sandbox: { store: { file: ':memory:' }, allowPrivate: true },
  })
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const [service] = server.services()
    if (!service?.sandboxes) throw new Error('there is no sandbox')
    const { contract, sandboxes } = service
    const report = await certifyReceiver(
      {
        url: receiver,
        secrets: [first as string, ...others],
        effects,
        allowPublic,
        skipVerify,
        stopping: stopping.signal,
      },
      { contract, bindings: sandboxes.bindings, baseUrl: server.url, version: packageVersion() },
    )
    await write(report, options)
    const isEnough = report.complete && report.score.percent >= options.minScore
    return isEnough ? EXIT.ok : EXIT.failure
  } catch (error) {
    const isUnusable = error instanceof Unusable || error instanceof EffectsError
    throw isUnusable ? new InputError(error.message) : error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    await server.close()
  }
}

function secretsOf(names: readonly string[]): string[] {
  return names.map((name) => {
    const { value = '' } = readSecret(name)
    if (value.trim() !== '') return value
    throw new InputError('A variable that --secret-env names is blank. Set the signing secret.')
  })
}

/** @throws {InputError} */
function checkUrl(option: string, url: string | undefined): void {
  const target = url === undefined ? null : targetOf(url)
  if (typeof target !== 'string') return
  throw new InputError(
    `${option}: the URL cannot be called: ${target}. Use a URL such as http://127.0.0.1:3000/webhooks.`,
  )
}

async function write(report: Report, { json, html, badge }: Options): Promise<void> {
  const { badgeOf, inWords, pageOf } = await import('../certify/index.ts')
  if (html !== undefined) await save('--html', html, pageOf(report))
  if (badge !== undefined) await save('--badge', badge, badgeOf(report))
  print(json ? JSON.stringify(report) : inWords(report, styled))
}

async function save(option: string, file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new InputError(`${option}: ${file} cannot be written (${code}). Name another file.`)
  }
}

function parsePercent(text: string): number {
  const percent = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && percent <= 100) return percent
  throw new InvalidArgumentError('Use a number from 0 to 100.')
}
