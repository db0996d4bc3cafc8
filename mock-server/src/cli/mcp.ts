import { resolve } from 'node:path'
import { Command } from 'commander'
import { isRemote } from '../contract/remote.ts'
import { DEFAULT_KEY } from '../control/key.ts'
import { isLiveKey } from '../door/auth.ts'
import { createLog } from '../door/log.ts'
import type { Sandbox } from '../mcp/sandbox.ts'
import { EXIT } from './exit.ts'
import { InputError } from './inputs.ts'
import { Mock, MockError } from './mock.ts'
import { parsePort } from './numbers.ts'
import { reportingErrors } from './report.ts'
import { readToken } from './token.ts'
import { checkWatched } from './watched.ts'

interface Options {
  url?: string
  keyEnv: string
  controlTokenEnv?: string
  revision?: string
  contract?: string
  watch?: true
  port?: number
  http?: number
}

/** A sandbox that was started for this server, or that runs anyway. */
interface Reached {
  sandbox: Sandbox
  close: () => Promise<void>
}

const KEY = 'SUPPORT_CHAT_API_KEY'
const HOST = '127.0.0.1'
/** How long running requests and attempts may take to finish, in milliseconds. */
const DRAIN = 10_000

/** The command that serves a sandbox to a coding agent until it is stopped. */
export function mcpCommand(exit: (code: number | null) => void): Command {
  const command = new Command('mcp')
    .description('Give a coding agent a sandbox, over the Model Context Protocol.')
    .option('--url <url>', 'a running mock server (default: starts one in memory)')
    .option('--key-env <name>', 'the variable that holds the API key', KEY)
    .option('--control-token-env <name>', 'the variable that holds the control token of --url')
    .option('--revision <name>', 'the revision of the contract, if --url has several')
    .option('--contract <file>', 'the OpenAPI document of the sandbox that it starts')
    .option('--watch', 'follow edits of --contract and of the files that it refers to')
    .option(
      '--port <number>',
      'the port of the sandbox that it starts (default: a free one)',
      parsePort,
    )
    .option(
      '--http <port>',
      'listen for HTTP on 127.0.0.1 instead of stdio; 0 picks a port',
      parsePort,
    )
    .addHelpText(
      'after',
      `
The tools are the operations of the contract and of the control API. Their input is that of the
operation. After an edit of the contract they follow it, and the server notifies a client over
stdio. Resources are the contract, the guides and the requests of your program. Live keys
(sk_live_…) and servers that are no mock are refused.

On stdio, stdout has the protocol alone, and the server ends with stdin. Over HTTP, it listens on
this machine only, at /mcp.

Examples:
  $ support-chat-mock mcp
  $ support-chat-mock mcp --url http://127.0.0.1:4010
  $ support-chat-mock mcp --contract ./openapi.yaml --http 4011`,
    )
  return command.action((options: Options) =>
    reportingErrors(command, exit, async () => {
      await serve(options)
      exit(null)
    }),
  )
}

async function serve(options: Options): Promise<void> {
  const { sandbox, close } = await reached(options)
  // Loaded here, since no other command needs the protocol.
  const [{ Offers }, { serversFor }] = await Promise.all([
    import('../mcp/offers.ts'),
    import('../mcp/server.ts'),
  ])
  const offers = await Offers.of(sandbox).catch(async (error) => {
    await close()
    throw error
  })
  const make = await serversFor(offers, sandbox.url, options.http === undefined)
  const closing = [close]
  let isStopping = false
  const stop = () => {
    // The second signal ends the process at once.
    if (isStopping) process.exit(EXIT.ok)
    isStopping = true
    setTimeout(() => process.exit(EXIT.ok), DRAIN).unref()
    void Promise.all(closing.map((one) => one())).then(() => process.exit(EXIT.ok))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  if (options.http === undefined) {
    const { serveStdio } = await import('../mcp/stdio.ts')
    const server = make()
    const quiet = offers.announce(server)
    closing.push(async () => quiet())
    closing.push(() => server.close())
    await serveStdio(server, stop)
    process.stderr.write(`The sandbox is at ${sandbox.url}.\n`)
    return
  }
  const { serveHttp } = await import('../mcp/http.ts')
  const listener = await serveHttp(make, options.http).catch(refusedPort)
  closing.push(() => listener.close())
  process.stdout.write(`Listening on ${listener.url}\nThe sandbox is at ${sandbox.url}.\n`)
}

/** @throws {InputError} for options that contradict, {MockError} without a sandbox */
async function reached(options: Options): Promise<Reached> {
  const { url, contract, watch, port, revision, controlTokenEnv } = options
  if (url !== undefined && (contract !== undefined || watch || port !== undefined)) {
    throw new InputError(
      '--contract, --watch and --port are for the sandbox that this command starts. Remove them or --url.',
    )
  }
  if (url === undefined && (revision !== undefined || controlTokenEnv !== undefined)) {
    throw new InputError(
      '--revision and --control-token-env are for a running mock server. Name it with --url.',
    )
  }
  const key = keyOf(options)
  if (url === undefined) return started(options, key)
  const mock = new Mock({ ...options, url }, { ...process.env, SUPPORT_CHAT_API_KEY: key })
  await checkMock(mock)
  return { sandbox: sandboxOf(mock, key), close: async () => {} }
}

/** @throws {InputError} for a live key */
function keyOf({ keyEnv }: Options): string {
  const key =
    keyEnv === KEY ? process.env[KEY]?.trim() : readToken(keyEnv, process.env, '--key-env')
  if (key && isLiveKey(key)) {
    throw new InputError(
      'The variable of the API key holds a live key. Never send a live key to a mock server. Set a test key, or unset the variable.',
    )
  }
  return key || DEFAULT_KEY
}

/** Asks without the key first, which only a mock server may see. @throws {MockError} */
async function checkMock(mock: Mock): Promise<void> {
  const health = await fetch(`${mock.url}/_mock/health`, { redirect: 'manual' }).catch(
    () => undefined,
  )
  // Without a response, the next request says why.
  const body = await health?.json().catch(() => undefined)
  if (health && typeof body?.store !== 'string') {
    throw new MockError(
      `The server at ${mock.url} is not a mock server, and tools never call another one. Set the URL of a mock server with --url.`,
      health.status,
    )
  }
  await mock.get('/_mock/contract')
}

async function started({ contract, watch, port = 0 }: Options, key: string): Promise<Reached> {
  if (watch) checkWatched(contract === undefined ? [] : [contract])
  const { startServer } = await import('../server.ts')
  const server = await startServer({
    port,
    host: HOST,
    watch: watch && { onReload: () => {}, onFailure: say },
    contract: contract === undefined || isRemote(contract) ? contract : resolve(contract),
    sandbox: { store: { file: ':memory:' }, allowPrivate: true },
    log: createLog('error'),
  }).catch(refusedPort)
  const mock = new Mock({ url: server.url }, { SUPPORT_CHAT_API_KEY: key })
  return { sandbox: sandboxOf(mock, key), close: server.close }
}

function sandboxOf(mock: Mock, key: string): Sandbox {
  return { url: mock.url, key, send: (path, init) => mock.send(path, init) }
}

function say(error: unknown): void {
  process.stderr.write(`${(error as Error).message}\n`)
}

function refusedPort(error: NodeJS.ErrnoException): never {
  const isTaken = error.code === 'EADDRINUSE'
  throw new MockError(
    isTaken ? 'The port is already in use. Choose another, or 0 for a free one.' : error.message,
    null,
  )
}
