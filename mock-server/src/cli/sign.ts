import { Webhooks } from '@support-chat/sdk/webhooks'
import { Command, Option } from 'commander'
import {
  SIGNATURE_ENCODINGS,
  SIGNATURE_EVENT_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_PREFIX,
  type SignatureEncoding,
} from '../diagnosis/facts.ts'
import type { Header } from '../diagnosis/types.ts'
import { judge } from '../diagnosis/verdict.ts'
import { EXIT } from './exit.ts'
import { collect, InputError, readBody, readSecret, refuseSecrets } from './inputs.ts'
import { reportingErrors } from './report.ts'

interface Options {
  secretEnv: string[]
  body: string
  signatureEncoding: SignatureEncoding
  json?: true
}

/** The command that signs a body like the service does. */
export function signCommand(exit: (code: number) => void): Command {
  const command = new Command('sign')
    .description('Sign a body and print its webhook headers.')
    .requiredOption('--secret-env <name>', 'the variable that holds the signing secret', collect)
    .requiredOption('--body <file>', 'the file with the exact body to send; - for stdin')
    .addOption(
      new Option('--signature-encoding <name>', 'the encoding of the digest')
        .choices([...SIGNATURE_ENCODINGS])
        .default(SIGNATURE_ENCODINGS[0]),
    )
    .option('--json', 'print JSON: {name: value}')
    .addHelpText(
      'after',
      `
Pass the output to curl. Send the body with --data-binary: the other data options of curl change
it. A body that a receiver would refuse is signed too, with the reason on stderr.

Example:
  $ support-chat-mock sign --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json > headers.txt
  $ curl -H @headers.txt --data-binary @body.json http://127.0.0.1:3000/webhooks`,
    )
    .action((options: Options) =>
      reportingErrors(command, exit, async () => {
        await sign(options)
        exit(EXIT.ok)
      }),
    )
  return refuseSecrets(command)
}

async function sign({ secretEnv, body: file, signatureEncoding, json }: Options): Promise<void> {
  const [secret, ...others] = secretEnv.map(readSecret)
  if (!secret || others.length > 0) {
    throw new InputError('Only the newest secret signs. Give --secret-env once.')
  }
  if (secret.value.trim() === '')
    throw new InputError(`${secret.name} is blank. Set it to the signing secret.`)
  const body = await readBody(file)
  const signature = await Webhooks.sign(body, secret.value)
  const digest = Buffer.from(signature.slice(SIGNATURE_PREFIX.length), SIGNATURE_ENCODINGS[0])
  const kind = kindOf(body)
  const headers: Header[] = [
    [SIGNATURE_HEADER, SIGNATURE_PREFIX + digest.toString(signatureEncoding)],
    ...(kind === undefined ? [] : [[SIGNATURE_EVENT_HEADER, kind] as const]),
    ['content-type', 'application/json'],
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  process.stdout.write(`${json ? JSON.stringify(Object.fromEntries(headers)) : lines.join('\n')}\n`)

  const verdict = await judge({ delivery: { body, headers }, secrets: [secret], now: Date.now })
  if (verdict.code !== 'ok') {
    process.stderr.write(`A receiver refuses this body with ${verdict.code}: ${verdict.hint}\n`)
  }
}

/** The kind of the event, if the body has one that is valid in a header. */
function kindOf(body: Buffer): string | undefined {
  try {
    const { event } = JSON.parse(body.toString())
    // No line breaks, which would start another header, and no comma, which would make two values.
    return typeof event === 'string' && /^(?! )[ -+\--~]+(?<! )$/.test(event) ? event : undefined
  } catch {
    return undefined
  }
}
