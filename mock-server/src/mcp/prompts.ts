/** Prompts, made of the guides so that their code and commands are those that the tests run. */
import type { Prompt } from '@modelcontextprotocol/sdk/types.js'
import { type Page, sectionOf } from './docs.ts'
import type { Sandbox } from './sandbox.ts'

export interface Prompts {
  list: Prompt[]
  /** @returns the text; undefined for an unknown name. @throws {Error} for an argument that cannot be used */
  get(name: string, given: Readonly<Record<string, string>>): string | undefined
}

interface Written {
  prompt: Prompt
  text: (given: Readonly<Record<string, string>>) => string
}

const GUIDE = 'docs/webhooks.md'
const FRAMEWORK = /^docs\/webhooks\/([\w-]+)\.md$/
/** How the page of a framework begins. */
const HANDLER = /\bhandle` is your handler/
const SDK = /^sdks\/([\w-]+)\/README\.md$/

export function promptsOf(pages: readonly Page[], sandbox: Sandbox): Prompts {
  const targets = targetsOf(pages)
  const written: Written[] = [
    {
      prompt: {
        name: 'write-receiver',
        title: 'Write a receiver',
        description: 'Write a webhook receiver, and prove in the sandbox that it works.',
        arguments: [
          {
            name: 'target',
            description: `One of: ${[...targets.keys()].join(', ')}.`,
            required: true,
          },
        ],
      },
      text: ({ target = '' }) => {
        const found = targets.get(target.trim().toLowerCase())
        if (found) return receiver(pages, target.trim(), found, sandbox)
        throw new Error(
          `${JSON.stringify(target)} is not a known language or framework. Use one of: ${[...targets.keys()].join(', ')}.`,
        )
      },
    },
    {
      prompt: {
        name: 'test-integration',
        title: 'Test my integration',
        description: 'Play a customer case against the program, with retries and faults.',
      },
      text: () => testing(sandbox),
    },
    {
      prompt: {
        name: 'diagnose-webhook',
        title: 'Diagnose a failing webhook',
        description: 'Find out why a delivery fails, and correct the receiver.',
        arguments: [
          {
            name: 'delivery',
            description: 'The ID of a delivery. Default is the newest that failed.',
          },
        ],
      },
      text: ({ delivery }) => diagnosing(delivery),
    },
  ]
  const byName = new Map(written.map((one) => [one.prompt.name, one]))
  return {
    list: written.map(({ prompt }) => prompt),
    get: (name, given) => byName.get(name)?.text(given),
  }
}

/** The languages and frameworks that have a page, each with the language of its code and its page. */
function targetsOf(pages: readonly Page[]): Map<string, { language: string; page?: Page }> {
  const languages = pages.flatMap(({ path }) => SDK.exec(path)?.[1] ?? [])
  // The page of a language links to those of its frameworks.
  const overviews = new Map(
    pages.map(({ path, text }) => [FRAMEWORK.exec(path)?.[1] ?? '', text] as const),
  )
  const frameworks = pages.flatMap((page) => {
    const name = FRAMEWORK.exec(page.path)?.[1] ?? ''
    const language = languages.find((one) => overviews.get(one)?.includes(`(${name}.md)`))
    const isFramework = language && HANDLER.test(page.text)
    return isFramework ? [[name, { language, page }] as const] : []
  })
  return new Map([...languages.map((language) => [language, { language }] as const), ...frameworks])
}

function receiver(
  pages: readonly Page[],
  target: string,
  { language, page }: { language: string; page?: Page },
  { url }: Sandbox,
): string {
  const readme = `sdks/${language}/README.md`
  const parts = [
    `Write a webhook receiver for ${target}, and prove in the sandbox at ${url} that it works.`,
    `1. Install the SDK as below, and write the receiver from the code below. Keep its order of routes and parsers.
2. Choose a port, and add the URL of the receiver with sandbox_addEndpoint. The result has the signing secret, once.
3. Start the receiver with that secret as SUPPORT_CHAT_WEBHOOK_SECRET, and with the port as PORT.
4. Send an event with sandbox_trigger, and wait with sandbox_settled.
5. Look at sandbox_listDeliveries: the state must be \`succeeded\`. If it is not, call sandbox_diagnose with the delivery and the secret of the receiver.`,
    sectionOf(pages, readme, 'Install'),
    sectionOf(pages, GUIDE, language),
    page?.text.trim() ?? sectionOf(pages, readme, 'Webhooks'),
    `More: docs:///${GUIDE}, docs:///${readme}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

function testing({ url }: Sandbox): string {
  return `Test the integration in this folder against the sandbox at ${url}.

1. Find the program's client and its receiver. Set SUPPORT_CHAT_BASE_URL to ${url} for the client, and SUPPORT_CHAT_API_KEY to the key of the sandbox.
2. Take a snapshot with sandbox_takeSnapshot, so that you can return with sandbox_restoreSnapshot.
3. Add the receiver's URL with sandbox_addEndpoint, and start the receiver with the secret of the result.
4. Play a case: sandbox_createConversation, sandbox_createMessage, sandbox_handoff, sandbox_resolve, sandbox_csat. After each step, wait with sandbox_settled.
5. Send each kind of event twice with sandbox_trigger and \`copies: 2\`, and the kind \`future\`. The program must handle each event once, and accept kinds that it does not know.
6. Stop the receiver, send an event, start it again, and advance the clock by PT24H with sandbox_advanceClock. The retries must deliver it.
7. Let calls fail with sandbox_addFault: status 429 with \`retry_after\`, status 503, \`reset\`, \`truncate\`. Remove the rules with sandbox_clearFaults.
8. Read sandbox_listRequests with \`status: 4xx\`. Each entry has the reason for which the sandbox refused the request.
9. Report what failed, and correct the program. Write what you played as a test, with docs:///docs/sandbox.md.`
}

function diagnosing(delivery: string | undefined): string {
  const first = delivery
    ? `Read the delivery ${delivery} with sandbox_getDelivery.`
    : 'Call sandbox_settled. Take the newest of its failed deliveries, and read it with sandbox_getDelivery.'
  return `Find out why a webhook fails.

1. ${first} Each attempt has what was sent, and the status, the reason and the body that came back.
2. No status means that no response came: check the URL with sandbox_listEndpoints, and that the receiver runs.
3. After a 4xx, call sandbox_diagnose with the delivery and the secret that the receiver runs with. Do what its findings say.
4. After a 5xx, read the log of the receiver: its handler failed.
5. Correct the receiver, and restart it. Send the event again with sandbox_replayDelivery, wait with sandbox_settled, and check that the state is \`succeeded\`.

Outside the sandbox, save the headers and the raw body, and run: npx --no support-chat-mock verify --secret-env SUPPORT_CHAT_WEBHOOK_SECRET --header @headers.txt --body body.json`
}
