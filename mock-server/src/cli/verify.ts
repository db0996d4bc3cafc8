import { Command, InvalidArgumentError } from 'commander'
import { type Diagnosis, diagnose } from '../diagnosis/diagnose.ts'
import { EXIT } from './exit.ts'
import { collect, readBody, readHeaders, readSecret, refuseSecrets } from './inputs.ts'
import { reportingErrors } from './report.ts'

interface Options {
  secretEnv: string[]
  header?: string[]
  body: string
  tolerance?: number
  json?: true
}

/** The command that verifies a delivery and explains a failure. */
export function verifyCommand(exit: (code: number) => void): Command {
  const command = new Command('verify')
    .description('Verify a webhook and explain why it is refused.')
    .requiredOption(
      '--secret-env <name>',
      'the variable that holds the signing secret; during a rotation repeat it, newest first',
      collect,
    )
    .requiredOption('--body <file>', 'the file with the exact body that was received; - for stdin')
    .option(
      '--header <line>',
      "a header 'name: value', or @FILE with one header per line; may be repeated",
      collect,
    )
    .option(
      '--tolerance <seconds>',
      'how far the time of the event may differ from now',
      parseSeconds,
    )
    .option('--json', 'print JSON: {code, status, findings: [{name, text}]}')
    .addHelpText(
      'after',
      `
The first line is the verdict: ok, or the code of the error that the SDKs raise. The next lines
explain it. To find the reason, verify tries common mistakes until the signature matches: a
re-serialized body, a byte order mark, a line break, another encoding, a secret in quotes.

Save the body before anything parses it. verify never prints secrets, signatures or bodies.

Exit codes: 0 valid, 1 not valid, 2 an input cannot be read.

Examples:
  $ support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json \\
      --header 'x-service-signature: sha256=…' --header 'x-service-event: conversation.handoff'
  $ support-chat-mock verify --secret-env NEW_SECRET --secret-env OLD_SECRET \\
      --header @headers.txt --body - < body.json`,
    )
    .action((options: Options) =>
      reportingErrors(command, exit, async () => exit(await verify(options))),
    )
  return refuseSecrets(command)
}

async function verify(options: Options): Promise<number> {
  const secrets = options.secretEnv.map(readSecret)
  const headers = await readHeaders(options.header ?? [])
  const body = await readBody(options.body)
  const diagnosis = await diagnose({
    delivery: { body, headers },
    secrets,
    tolerance: options.tolerance,
    now: Date.now,
  })
  process.stdout.write(`${options.json ? JSON.stringify(diagnosis) : inWords(diagnosis)}\n`)
  return diagnosis.code === 'ok' ? EXIT.ok : EXIT.failure
}

function inWords({ code, status, findings }: Diagnosis): string {
  const consequence =
    code === 'ok'
      ? ''
      : status >= 500
        ? ' The service retries the delivery.'
        : ' The service does not retry the delivery, so the event is lost.'
  const response = `A receiver returns ${status}.${consequence}`
  return [code, ...findings.map(({ text }) => text), response].join('\n')
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number of seconds, 0 or more.')
}
