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
import { told } from './told.ts'

interface Options {
  secretEnv: string[]
  body: string
  signatureEncoding: SignatureEncoding
  json?: true
}

/** The command that signs a body as the service does. */
export function signCommand(exit: (code: number) => void): Command {
  const command = new Command('sign')
    .description('Print the headers of a webhook with a given body.')
    .requiredOption('--secret-env <name>', 'the variable that holds the secret', collect)
    .requiredOption('--body <file>', 'the body that will be sent, byte for byte; - for stdin')
    .addOption(
      new Option('--signature-encoding <name>', 'how the digest is written')
        .choices([...SIGNATURE_ENCODINGS])
        .default(SIGNATURE_ENCODINGS[0]),
    )
    .option('--json', 'print {name: value}')
    .addHelpText(
      'after',
      `
The output is for curl, which sends the body as it is with --data-binary and no other option.
A body that a receiver would refuse is signed all the same; stderr says why it would.

Example:
  $ support-chat-mock sign --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --body body.json > headers.txt
  $ curl -H @headers.txt --data-binary @body.json http://127.0.0.1:3000/webhooks`,
    )
    .action((options: Options) =>
      told(command, exit, async () => {
        await sign(options)
        exit(EXIT.ok)
      }),
    )
  return refuseSecrets(command)
}

async function sign({ secretEnv, body: file, signatureEncoding, json }: Options): Promise<void> {
  const [secret, ...others] = secretEnv.map(readSecret)
  if (!secret || others.length > 0) {
    throw new InputError('One secret signs, the newest: give --secret-env once.')
  }
  if (secret.value.trim() === '') throw new InputError(`${secret.name} is blank.`)
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
    process.stderr.write(`A receiver refuses this as ${verdict.code}: ${verdict.hint}\n`)
  }
}

/** The kind of the event, where the body has one that a header can hold. */
function kindOf(body: Buffer): string | undefined {
  try {
    const { event } = JSON.parse(body.toString())
    // No line breaks, which would begin another header, and no comma, which stands for two values.
    return typeof event === 'string' && /^(?! )[ -+\--~]+(?<! )$/.test(event) ? event : undefined
  } catch {
    return undefined
  }
}
