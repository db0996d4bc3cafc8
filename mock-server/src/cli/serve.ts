import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { packageVersion } from '../assets.ts'
import type { Contract } from '../contract/load.ts'
import { isRemote } from '../contract/remote.ts'
import type { Mocking } from '../contract/respond.ts'
import { SIGNATURE_ENCODINGS, type SignatureEncoding } from '../diagnosis/facts.ts'
import { createLog, LEVELS, type Level, type Log } from '../door/log.ts'
import { CipherError } from '../hosted/cipher.ts'
import { ENCRYPTION } from '../hosted/settings.ts'
import { Recording } from '../record/recording.ts'
import type { SandboxOptions, Server, Watch } from '../server.ts'
import { startTracer } from '../tracing/settings.ts'
import { UNTRACED } from '../tracing/tracer.ts'
import { EXIT } from './exit.ts'
import { checkOnlyHosted, type HostedFlags, hostedFrom, hostedOptions } from './hosted.ts'
import { InputError } from './inputs.ts'
import { parseDays, parseFactor, parsePort, parseTimeout } from './numbers.ts'
import { print } from './output.ts'
import { failureText, reportingErrors } from './report.ts'
import { DATA_DIR, hints, listening } from './started.ts'
import { type TlsOptions, tlsOf, trust } from './tls.ts'
import { readToken } from './token.ts'
import { warningsOf } from './warnings.ts'
import { checkWatched } from './watched.ts'

interface Options extends TlsOptions, HostedFlags {
  port: number
  host: string
  contract?: string[]
  watch?: true
  strict?: true
  stateless?: true
  dynamic?: true
  fakerSeed?: string
  queryPreferences?: true
  errors?: true
  dataDir?: string
  memory?: true
  empty?: true
  seed?: string
  timeScale: number
  attemptTimeout: number
  signatureEncoding?: SignatureEncoding
  allowPrivateWebhooks?: boolean
  controlTokenEnv?: string
  durability: 'normal' | 'full'
  retention: number
  logLevel: Level
  record?: string
  stopWithStdin?: true
  json?: true
}

const DAY = 24 * 3_600_000
/** How long running requests and attempts may take to finish during a shutdown, in milliseconds. */
const DRAIN = 10_000
/** How long a failed start may take to end, in milliseconds. */
const GRACE = 1_000

/** The command that serves until it is stopped. */
export function serveCommand(exit: (code: number | null) => void): Command {
  const command = new Command('serve')
    .description('Start the mock server.')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', parsePort, 4010)
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option(
      '--contract <file>',
      'serve this OpenAPI 2.0, 3.0 or 3.1 document, a file or a URL, instead of the Support Chat contract; repeat it to serve several revisions at once, the oldest first',
      (file: string, files: string[] = []) => [...files, file],
    )
    .option('--watch', 'follow edits of the contract and of the files that it refers to')
    .option(
      '--strict',
      'refuse a contract with problems; fail requests whose response or event would contradict it',
    )
    .addOption(
      new Option(
        '--stateless',
        'respond from the contract alone; store and send nothing',
      ).conflicts(['memory', 'dataDir', 'empty', 'seed']),
    )
    .option('-d, --dynamic', 'make responses from schemas, with new values each time')
    .option('--faker-seed <text>', 'make the values of dynamic responses depend on this text alone')
    .option(
      '--query-preferences',
      'also read ?__code, ?__example, ?__dynamic and ?__seed, like the header Prefer',
    )
    .option('--errors', 'respond with status 500 where a response would contradict the contract')
    .option('--data-dir <dir>', `the folder for the data (default: "${DATA_DIR}")`)
    .addOption(
      new Option('--memory', 'keep the data in memory; it is lost when the server stops').conflicts(
        'dataDir',
      ),
    )
    .addOption(new Option('--empty', 'start without conversations').conflicts('seed'))
    .option('--seed <file>', 'a YAML or JSON file with the data of a new sandbox')
    .option(
      '--time-scale <factor>',
      'multiply the waits between delivery attempts by this factor',
      parseFactor,
      1,
    )
    .option('--attempt-timeout <seconds>', 'the timeout of a delivery attempt', parseTimeout, 10)
    .addOption(
      new Option('--signature-encoding <name>', 'the encoding of webhook signatures')
        .choices([...SIGNATURE_ENCODINGS])
        .default(SIGNATURE_ENCODINGS[0]),
    )
    .option(
      '--allow-private-webhooks',
      'deliver to loopback and private networks (default on a loopback host)',
    )
    .option(
      '--no-allow-private-webhooks',
      'deliver to public addresses only (default on other hosts)',
    )
    .option(
      '--control-token-env <name>',
      'the variable that holds the token for the control API and the dashboard',
    )
    .addOption(
      new Option(
        '--durability <level>',
        'full also survives a power failure, at about half the speed',
      )
        .choices(['normal', 'full'])
        .default('normal'),
    )
    .option(
      '--retention <days>',
      'how long to keep events and succeeded deliveries; pending and dead ones always stay',
      parseDays,
      30,
    )
    .option('--record <file>', 'add calls and deliveries to this HAR file, without secrets')
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr; info logs every request')
        .choices([...LEVELS])
        .default('warn'),
    )
    .option('--https', 'serve over TLS, with an own certificate for localhost')
    .option('--cert <file>', 'the certificate to serve with, as PEM; needs --key')
    .option('--key <file>', 'the key of the certificate, as PEM')
    .option('--json', 'print what a program needs to know, as a line of JSON for each event')
    .option('--stop-with-stdin', 'stop when stdin closes, as when the parent process exits')
  return hostedOptions(command)
    .addHelpText(
      'after',
      `
The server stores what you post. Each change to a conversation sends a signed webhook. A failed
delivery is retried after 15 minutes, 1 hour, 4 hours and 16 hours. Every API key has its own
sandbox. Live keys (sk_live_…) are refused. Operations without stored data return the examples of
the contract.

With --watch, an edited contract is in service within two seconds. The data stays. A contract that
cannot be served leaves the one before in service, and so does one with problems under --strict.

With several --contract, all of them share one sandbox, so that you can try an upgrade before it
happens. The name of a revision is the version of its contract. A request without a choice is for the
first one. The response names its revision in the same header.

Request headers that change the response:
  Prefer: code=429                     a status that the contract declares
  Prefer: example=empty                a named example of the contract
  Prefer: dynamic=true                 new values from the schema
  x-mock-fault: status=503; times=2    a fault; also delay=2s, reset, truncate, rate=0.1
  x-mock-revision: 2.0.0               a revision, if there are several contracts

Pages:
  /                the dashboard
  /docs            the documentation, if the package has it
  /reference       the reference of the contract
  /openapi.yaml    the contract
  /_mock/health    the health of the server

Settings of --hosted:
  DATABASE_URL                      the URL of a PostgreSQL database, 13 or newer
  DATABASE_DIRECT_URL               the same without the pooler, where DATABASE_URL has one
  SUPPORT_CHAT_MOCK_ADMIN_TOKEN     allows to issue keys; 24 characters or more
  SUPPORT_CHAT_MOCK_PUBLIC_URL      the URL at which integrators reach the server
  SUPPORT_CHAT_MOCK_ENCRYPTION_KEY  encrypts secrets at rest; several to rotate, the current one first
  SUPPORT_CHAT_MOCK_EGRESS_PROXY    the URL of an HTTP proxy through which events are delivered

Examples:
  $ support-chat-mock serve
  $ support-chat-mock serve --memory --port 0 --log-level info
  $ support-chat-mock serve --time-scale 0.001
  $ support-chat-mock serve --port 0 --json
  $ support-chat-mock serve --host 0.0.0.0 --control-token-env MOCK_TOKEN
  $ support-chat-mock serve --contract ./openapi.yaml --stateless
  $ support-chat-mock serve --contract ./openapi.yaml --watch
  $ support-chat-mock serve --contract ./old.yaml --contract ./new.yaml
  $ support-chat-mock serve --hosted --host 0.0.0.0 --drain 5`,
    )
    .action(({ signatureEncoding, ...options }: Options) =>
      reportingErrors(command, exit, async () => {
        checkOnlyHosted(command)
        const isGiven = command.getOptionValueSource('signatureEncoding') !== 'default'
        // Another contract may have another default.
        exit(await serve({ ...options, ...(isGiven && { signatureEncoding }) }))
      }),
    )
}

async function serve(options: Options): Promise<number | null> {
  const { port, host, contract, logLevel } = options
  let tracer = UNTRACED
  const log = createLog(logLevel, () => tracer.place())
  const token = tokenOf(options)
  const watch = watchOf(options)
  const { tls, own } = await tlsOf(options, resolve(options.dataDir ?? DATA_DIR))
  // Loaded here, since it is most of the program and the other commands do not need it.
  const { startServer } = await import('../server.ts')
  let server: Server
  try {
    tracer = await startTracer(process.env, (message) => log.warn(message))
    const files = contract?.map((file) => (isRemote(file) ? file : resolve(file)))
    const sandbox = await sandboxOf(options, token, log)
    const isStrict = options.strict
    const recording = recordingOf(options)
    server = await startServer({
      port,
      host,
      contract: files,
      watch,
      isStrict,
      mocking: mockingOf(options),
      sandbox,
      recording,
      tracer,
      log,
      tls,
    })
  } catch (error) {
    const message = explain(error as NodeJS.ErrnoException, port, host)
    process.stderr.write(options.json ? failureText({ message }) : `${message}\n`)
    // Whatever is still open keeps no process alive that does not serve.
    setTimeout(() => process.exit(EXIT.failure), GRACE).unref()
    return EXIT.failure
  }
  if (options.json) print(JSON.stringify(listening(server, options)))
  else {
    const text = `${hints(server, options)}${own ? trust(own) : ''}`
    process.stdout.write(`Listening on ${server.url}\n${text}`)
  }
  for (const { contract } of server.services()) void warnOf(contract, options)

  const stop = () => {
    // The next signal finds no listener and ends the process at once.
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    setTimeout(() => {
      log.warn(
        'stopped before all requests and attempts had finished; the next start retries the attempts',
      )
      process.exit(EXIT.ok)
    }, DRAIN).unref()
    void server.close().then(() => process.exit(EXIT.ok))
  }
  const drain = () => {
    // The next signal stops at once.
    process.off('SIGTERM', drain).once('SIGTERM', stop)
    server.drain()
    setTimeout(stop, options.drain * 1000)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', options.drain > 0 ? drain : stop)
  if (options.stopWithStdin) process.stdin.on('end', stop).on('error', stop).resume()
  return null
}

/** Checks a contract that is in service already, and says what is wrong with it. */
async function warnOf({ problems = async () => [] }: Contract, options: Options): Promise<void> {
  for (const message of warningsOf(await problems())) {
    if (options.json) print(JSON.stringify({ event: 'warning', message }))
    else process.stderr.write(`warning: ${message}\n`)
  }
}

/**
 * Reports each edit in a line, and each problem of an edited contract.
 *
 * @throws {InputError} if there is no file to follow
 */
function watchOf(options: Options): Watch | undefined {
  const { watch, contract, json } = options
  if (!watch) return undefined
  const followed = contract ?? []
  checkWatched(followed)
  const say = (event: string, message: string) => {
    if (json) print(JSON.stringify({ event, message }))
    else process.stderr.write(`${message}\n`)
  }
  return {
    onReload(services) {
      for (const [index, { sandboxes, contract: served }] of services.entries()) {
        void warnOf(served, options)
        const unserved = sandboxes?.bindings.unserved.map(({ what, why }) => `${what} ${why}`) ?? []
        const lost =
          unserved.length > 0 ? ` The sandbox does not serve: ${unserved.join('; ')}.` : ''
        say('reloaded', `Reloaded ${followed[index]}.${lost}`)
      }
    },
    onFailure: (error) => say('failed', (error as Error).message),
  }
}

function mockingOf({ dynamic, fakerSeed, queryPreferences, errors }: Options): Mocking {
  return {
    isDynamic: dynamic,
    seed: fakerSeed,
    hasQueryPreferences: queryPreferences,
    isChecked: errors,
  }
}

/** @throws {RecordError} for a file that cannot be recorded to */
function recordingOf({ record }: Options): Recording | undefined {
  if (record === undefined) return undefined
  const end = (message: string) =>
    process.stderr.write(`${message} Nothing more is recorded; the server continues.\n`)
  return new Recording(record, packageVersion(), end)
}

async function sandboxOf(
  options: Options,
  token: string | undefined,
  log: Log,
): Promise<SandboxOptions | null> {
  const {
    stateless,
    memory,
    dataDir = DATA_DIR,
    empty,
    seed,
    host,
    durability,
    retention,
  } = options
  if (stateless) return null
  const { dataFile } = await import('../store/data-dir.ts')
  const onError = (error: string) => log.error('the database failed', { error })
  const kept = options.hosted
    ? hostedFrom(options, onError)
    : {
        store: { file: memory ? ':memory:' : dataFile(dataDir), isDurable: durability === 'full' },
      }
  return {
    ...kept,
    seed: empty ? 'empty' : seed === undefined ? undefined : { file: seed },
    token,
    allowPrivate: options.allowPrivateWebhooks ?? (isLoopback(host) && !options.hosted),
    encoding: options.signatureEncoding,
    timeScale: options.timeScale,
    attemptTimeout: options.attemptTimeout * 1000,
    retention: retention * DAY,
  }
}

/** @throws {InputError} if a token is needed and missing */
function tokenOf({ host, stateless, hosted, controlTokenEnv: name }: Options): string | undefined {
  if (name !== undefined) return readToken(name)
  // Each integrator has a key of its own.
  if (stateless || hosted || isLoopback(host)) return undefined
  throw new InputError(
    `Other machines can reach the mock server on ${host}, so its control API and dashboard need a token. Put a long random one into an environment variable and pass its name: --control-token-env NAME.`,
  )
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is already in use. Stop the program that uses it, or choose another port. --port 0 picks a free one.`,
    EACCES: `You have no permission to use port ${port} on ${host}. Choose a port from 1024, or --port 0.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose one with --host, for example 127.0.0.1.`,
    ENOTFOUND: `The host ${host} is unknown. Choose another with --host, for example 127.0.0.1.`,
  }
  const { code, message } = error
  if (error instanceof CipherError) return `${ENCRYPTION}: ${message}`
  if (code === undefined) return message
  return reasons[code] ?? `The server could not start: ${message}`
}
