import { Command, InvalidArgumentError } from 'commander'
import { type Diagnosis, diagnose } from '../diagnosis/diagnose.ts'
import { EXIT } from './exit.ts'
import { collect, readBody, readHeaders, readSecret, refuseSecrets } from './inputs.ts'
import { told } from './told.ts'

interface Options {
  secretEnv: string[]
  header: string[]
  body: string
  tolerance?: number
  json?: true
}

/** The command that says whether a delivery is right, and if not, why. */
export function verifyCommand(exit: (code: number) => void): Command {
  const command = new Command('verify')
    .description('Say why a webhook is refused.')
    .requiredOption(
      '--secret-env <name>',
      'the variable that holds the secret; several during a rotation, the newest first',
      collect,
    )
    .requiredOption('--body <file>', 'the body as it came, byte for byte; - reads it from stdin')
    .option(
      '--header <line>',
      "a header of the request, 'name: value', or @FILE with a line for each; may be repeated",
      collect,
      [],
    )
    .option('--tolerance <seconds>', 'how old or early the event may be', parseSeconds)
    .option('--json', 'print {code, status, findings: [{name, text}]}')
    .addHelpText(
      'after',
      `
The first line is the verdict: ok, or the code of the error that the SDKs raise. What follows
is the reason: the body parsed and written again, a byte order mark, a line break, another
encoding, a secret with quotes around it and so on are all tried, until the signature fits.

Keep the body before anything parses it. Secrets, signatures and bodies are never printed.

Ends with 0 if the delivery is right, 1 if it is not and 2 where something cannot be read.

Examples:
  $ support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json \\
      --header 'x-service-signature: sha256=…' --header 'x-service-event: conversation.handoff'
  $ support-chat-mock verify --secret-env NEW_SECRET --secret-env OLD_SECRET \\
      --header @headers.txt --body - < body.json`,
    )
    .action((options: Options) => told(command, exit, async () => exit(await verify(options))))
  return refuseSecrets(command)
}

async function verify(options: Options): Promise<number> {
  const secrets = options.secretEnv.map(readSecret)
  const headers = await readHeaders(options.header)
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
        ? ', and the service sends it again'
        : ', and the service does not send it again: the event is lost'
  const answer = `A receiver answers ${status}${consequence}.`
  return [code, ...findings.map(({ text }) => text), answer].join('\n')
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number of seconds, 0 or more.')
}
