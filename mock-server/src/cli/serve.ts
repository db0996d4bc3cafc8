import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createLog, LEVELS, type Level } from '../door/log.ts'
import type { Server } from '../server.ts'

interface Options {
  port: number
  host: string
  contract?: string
  logLevel: Level
}

/** The command that serves until it is told to stop. */
export function serveCommand(exit: (code: number | null) => void): Command {
  return new Command('serve')
    .description('Start the mock server.')
    .option('--port <number>', 'where to listen; 0 takes any free port', parsePort, 4010)
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option('--contract <file>', 'another OpenAPI 3.0 or 3.1 document to answer')
    .option('--stateless', 'answer from the contract alone; so far there is no other way')
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr; info has a line per request')
        .choices([...LEVELS])
        .default('warn'),
    )
    .addHelpText(
      'after',
      `
Answers every operation of the contract with its examples, after checking your request against
it. Nothing is stored: what you post does not come back.

Any key is accepted, except live keys (sk_live_…). Ask for other answers with a header:
  Prefer: code=429            a status that the contract declares
  Prefer: example=empty       one of its named examples

Pages:
  /docs            the API reference
  /openapi.yaml    the contract
  /_mock/health    whether the server runs

Examples:
  $ support-chat-mock serve
  $ support-chat-mock serve --port 0 --log-level info
  $ support-chat-mock serve --contract ./openapi.yaml`,
    )
    .action(async (options: Options) => exit(await serve(options)))
}

async function serve({ port, host, contract, logLevel }: Options): Promise<number | null> {
  // Loaded here, as it is most of the program and the other commands do without.
  const { startServer } = await import('../server.ts')
  let server: Server
  try {
    const file = contract === undefined ? undefined : resolve(contract)
    server = await startServer({ port, host, contract: file, log: createLog(logLevel) })
  } catch (error) {
    process.stderr.write(`${explain(error as NodeJS.ErrnoException, port, host)}\n`)
    return 1
  }
  process.stdout.write(`Listening on ${server.url}\n${hints(server.url, contract)}`)

  const stop = () => {
    // The second signal finds no listener and ends the process at once.
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    void server.close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return null
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Stop the program that has it, or choose another one: --port 0 takes any free port.`,
    EACCES: `Port ${port} on ${host} needs more rights. Choose a port from 1024 on, or --port 0.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Choose one with --host, for example 127.0.0.1.`,
    ENOTFOUND: `The host ${host} is not known. Choose one with --host, for example 127.0.0.1.`,
  }
  if (error.name === 'ContractError') return error.message
  return reasons[error.code ?? ''] ?? `The server did not start: ${error.message}`
}

function hints(url: string, contract: string | undefined): string {
  const auth = "-H 'authorization: Bearer sk_test_demo'"
  const calls = `
List conversations, read one, answer its visitor:
  curl ${auth} '${url}/v1/conversations?status=open'
  curl ${auth} ${url}/v1/conversations/conv_01J2Z8M3VN
  curl ${auth} --json '{"text":"Hello!"}' ${url}/v1/conversations/conv_01J2Z8M3VN/messages

Ask for an error that the contract declares:
  curl -i ${auth} -H 'prefer: code=429' ${url}/v1/conversations
`
  return `${contract === undefined ? calls : ''}
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
