import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { SIGNATURE_ENCODINGS, type SignatureEncoding } from '../diagnosis/facts.ts'
import { createLog, LEVELS, type Level } from '../door/log.ts'
import type { SandboxOptions, Server } from '../server.ts'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { readToken } from './token.ts'
import { told } from './told.ts'

interface Options {
  port: number
  host: string
  contract?: string
  stateless?: true
  dataDir: string
  memory?: true
  empty?: true
  seed?: string
  timeScale: number
  attemptTimeout: number
  signatureEncoding: SignatureEncoding
  allowPrivateWebhooks?: boolean
  controlTokenEnv?: string
  durability: 'normal' | 'full'
  retention: number
  logLevel: Level
  stopWithStdin?: true
}

const DATA_DIR = '.support-chat-mock'
const DAY = 24 * 3_600_000
/** How long what runs may go on once it has to stop, in milliseconds. */
const DRAIN = 10_000

/** The command that serves until it is told to stop. */
export function serveCommand(exit: (code: number | null) => void): Command {
  const command = new Command('serve')
    .description('Start the mock server.')
    .option('--port <number>', 'where to listen; 0 takes any free port', parsePort, 4010)
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option('--contract <file>', 'another OpenAPI 3.0 or 3.1 document to answer')
    .addOption(
      new Option(
        '--stateless',
        'answer from the contract alone; nothing is kept or sent',
      ).conflicts(['memory', 'empty', 'seed']),
    )
    .option('--data-dir <dir>', 'where the data is kept', DATA_DIR)
    .addOption(new Option('--memory', 'keep the data in memory, until the end'))
    .addOption(new Option('--empty', 'begin without conversations').conflicts('seed'))
    .option('--seed <file>', 'what a new sandbox holds, in YAML or JSON')
    .option('--time-scale <factor>', 'multiplies each wait between attempts', parseFactor, 1)
    .option('--attempt-timeout <seconds>', 'how long an attempt may take', parseTimeout, 10)
    .addOption(
      new Option('--signature-encoding <name>', 'how signatures are written')
        .choices([...SIGNATURE_ENCODINGS])
        .default(SIGNATURE_ENCODINGS[0]),
    )
    .option('--allow-private-webhooks', 'send to loopback and private networks; so on loopback')
    .option('--no-allow-private-webhooks', 'send to public addresses only; so on other hosts')
    .option(
      '--control-token-env <name>',
      'the variable with the token that control and pages ask for',
    )
    .addOption(
      new Option('--durability <level>', 'full also survives the loss of power, at half the speed')
        .choices(['normal', 'full'])
        .default('normal'),
    )
    .option('--retention <days>', 'how long what is done with is kept', parseDays, 30)
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr; info has a line per request')
        .choices([...LEVELS])
        .default('warn'),
    )
    .option(
      '--stop-with-stdin',
      'stop when stdin ends, as it does when the program that started this is gone',
    )
    .addHelpText(
      'after',
      `
What you post comes back, and each step of a conversation sends its signed webhook, again after
15 minutes, 1, 4 and 16 hours where it fails. Any key has a sandbox of its own, except live keys
(sk_live_…), which are refused. What the sandbox does not hold comes from the contract's examples.

Ask for other answers with a header:
  Prefer: code=429                     a status that the contract declares
  Prefer: example=empty                one of its named examples
  x-mock-fault: status=503; times=2    a fault; also delay=2s, reset, truncate, rate=0.1

Pages:
  /                the dashboard
  /docs            the API reference
  /openapi.yaml    the contract
  /_mock/health    whether the server runs

Examples:
  $ support-chat-mock serve
  $ support-chat-mock serve --memory --port 0 --log-level info
  $ support-chat-mock serve --time-scale 0.001
  $ support-chat-mock serve --host 0.0.0.0 --control-token-env MOCK_TOKEN
  $ support-chat-mock serve --contract ./openapi.yaml --stateless`,
    )
    .action((options: Options) => told(command, exit, async () => exit(await serve(options))))
  return command
}

async function serve(options: Options): Promise<number | null> {
  const { port, host, contract, logLevel } = options
  const log = createLog(logLevel)
  const token = tokenOf(options)
  // Loaded here, as it is most of the program and the other commands do without.
  const { startServer } = await import('../server.ts')
  let server: Server
  try {
    const file = contract === undefined ? undefined : resolve(contract)
    const sandbox = await sandboxOf(options, token)
    server = await startServer({ port, host, contract: file, sandbox, log })
  } catch (error) {
    process.stderr.write(`${explain(error as NodeJS.ErrnoException, port, host)}\n`)
    return EXIT.failure
  }
  process.stdout.write(`Listening on ${server.url}\n${hints(server.url, options)}`)

  const stop = () => {
    // The next signal finds no listener and ends the process at once.
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    setTimeout(() => {
      log.warn('some requests or attempts were cut off; attempts are made again at the next start')
      process.exit(EXIT.ok)
    }, DRAIN).unref()
    void server.close().then(() => process.exit(EXIT.ok))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (options.stopWithStdin) process.stdin.on('end', stop).on('error', stop).resume()
  return null
}

async function sandboxOf(
  options: Options,
  token: string | undefined,
): Promise<SandboxOptions | null> {
  const { stateless, memory, dataDir, empty, seed, host, durability, retention } = options
  if (stateless) return null
  const [{ readSeed }, { dataFile }] = await Promise.all([
    import('../sandbox/seed-file.ts'),
    import('../store/data-dir.ts'),
  ])
  return {
    file: memory ? ':memory:' : dataFile(dataDir),
    isDurable: durability === 'full',
    seed: empty ? 'empty' : seed === undefined ? undefined : await readSeed(seed),
    token,
    allowPrivate: options.allowPrivateWebhooks ?? isLoopback(host),
    encoding: options.signatureEncoding,
    timeScale: options.timeScale,
    attemptTimeout: options.attemptTimeout * 1000,
    retention: retention * DAY,
  }
}

/** @throws {InputError} where a token is needed and there is none */
function tokenOf({ host, stateless, controlTokenEnv: name }: Options): string | undefined {
  if (name !== undefined) return readToken(name)
  if (stateless || isLoopback(host)) return undefined
  throw new InputError(
    `On ${host} others can reach the mock server, so its control and its pages need a token. Put a long random one into an environment variable and name that: --control-token-env NAME.`,
  )
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop the program that has it, or choose another one: --port 0 takes any free port.`,
    EACCES: `Port ${port} on ${host} needs more rights. Choose a port from 1024 on, or --port 0.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose one with --host, for example 127.0.0.1.`,
    ENOTFOUND: `The host ${host} is not known. Choose one with --host, for example 127.0.0.1.`,
  }
  const { code, message } = error
  if (code === undefined) return message
  return reasons[code] ?? `The server did not start: ${message}`
}

function hints(url: string, { contract, stateless, memory, dataDir }: Options): string {
  const auth = "-H 'authorization: Bearer sk_test_demo'"
  const calls = `
List conversations, read one, answer its visitor:
  curl ${auth} '${url}/v1/conversations?status=open'
  curl ${auth} ${url}/v1/conversations/conv_01J2Z8M3VN
  curl ${auth} --json '{"text":"Hello!"}' ${url}/v1/conversations/conv_01J2Z8M3VN/messages

Ask for an error that the contract declares:
  curl -i ${auth} -H 'prefer: code=429' ${url}/v1/conversations
`
  const events = `
Receive its events, and make some happen:
  npx support-chat-mock listen --forward-to http://127.0.0.1:3000/webhooks --url ${url}
  npx support-chat-mock trigger conversation.handoff --url ${url}

Dashboard:     ${url}/
Data:          ${memory ? 'in memory, until the end' : resolve(dataDir)}`
  return `${contract === undefined ? calls : ''}${stateless ? '' : events}
API reference: ${url}/docs
Contract:      ${url}/openapi.yaml
Stop with Ctrl+C. --log-level info shows every request.
`
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  }
  return port
}

function parseFactor(text: string): number {
  const factor = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || factor > 1000) {
    throw new InvalidArgumentError('It must be a number from 0 to 1000, for example 0.001.')
  }
  return factor
}

function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.001 || seconds > 600) {
    throw new InvalidArgumentError('It must be a number of seconds from 0.001 to 600.')
  }
  return seconds
}

function parseDays(text: string): number {
  const days = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || days > 36_500) {
    throw new InvalidArgumentError('It must be a number of days, for example 30.')
  }
  return days
}
