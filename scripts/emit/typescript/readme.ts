import type { Api, Field } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { blocks, fenced } from '../core/markdown.ts'
import { startMock } from '../core/names.ts'
import {
  ACCESS,
  environmentText,
  errorClass,
  errorsText,
  fit,
  GUIDE,
  mockText,
  opening,
  optionsTable,
  type Place,
  readmeFile,
  retriesText,
  section,
  sentences,
  shell,
  unpublished,
} from '../core/readme.ts'
import { type Call, type Given, type Tour, tourOf } from '../core/tour.ts'
import { literal, propertyKey, quote } from './literal.ts'
import { camel, methodName, variable } from './naming.ts'

/** What users read first; its snippets fit the generated code. */
export function emitReadme(api: Api, sources: Sources, place: Place): OutFile {
  const { platform } = api
  const tour = tourOf(api)
  const about = {
    name: platform.npm,
    language: 'TypeScript',
    also: tour.event && 'with a receiver of its webhooks',
    needs: 'Node 20 and newer, Deno, Bun and Workers; ES modules and CommonJS; no dependencies.',
  }
  return readmeFile(
    sources,
    opening(api, about, place),
    section('Install', install(api, place)),
    section('First call', firstCall(api, tour, place)),
    section('Options', options(api)),
    section('Pages', pages(tour)),
    section('Writing', writing(tour)),
    section('Errors', errors(api, tour)),
    section('Retries', retriesText(api)),
    section('The answer itself', answer(api, tour)),
    section('Webhooks', webhooks(api, tour, place)),
    section('A mock server in tests', tour.event && kit(api, place)),
  )
}

function install(api: Api, place: Place): string {
  const { platform } = api
  const { npm, mockNpm } = platform
  if (platform.published) return blocks(shell(`npm install ${npm}`), mockText(api, place))
  if (place === 'package') {
    return blocks(
      sentences(unpublished('npm'), 'Build and pack it in this folder:'),
      shell('npm install && npm run build && npm pack'),
      'and install what that has written in your project:',
      shell(`npm install /path/to/${archive(npm)}`),
    )
  }
  return blocks(
    sentences(unpublished('npm'), 'Pack it in a clone of this repository:'),
    shell(
      'npm install && npm run build',
      'npm pack -w sdks/typescript -w mock-server --pack-destination /tmp',
    ),
    'and install it in your project, with a mock of the API to try it on:',
    shell(
      `npm install /tmp/${archive(npm)}`,
      `npm install --save-dev /tmp/${archive(mockNpm)}`,
      startMock(platform),
    ),
  )
}

function kit({ platform }: Api, place: Place): string | null {
  if (place === 'package') return null
  return sentences(
    `\`createMockServer()\`, of \`${platform.mockNpm}\`, starts one within the test; [its README](../../mock-server) has the options and members.`,
    `${GUIDE} shows it at work.`,
  )
}

function archive(npm: string): string {
  return `${npm.replace('@', '').replace('/', '-')}-*.tgz`
}

function firstCall(api: Api, { start }: Tour, place: Place): string {
  const { client, npm } = api.platform
  const { key, baseURL } = ACCESS[place]
  const given = [...(api.credential ? [`apiKey: ${quote(key)}`] : []), `baseURL: ${quote(baseURL)}`]
  return code(
    `import { ${client} } from ${quote(npm)}`,
    '',
    `const client = new ${client}({ ${given.join(', ')} })`,
    ...(start ? ['', `const ${nounOf(start)} = await ${call(start)}`, show(start)] : []),
  )
}

function options(api: Api): string {
  const { timeoutMs, retries } = api.policy
  return blocks(
    environmentText(api),
    optionsTable([
      [
        'timeout',
        timeoutMs.toLocaleString('en'),
        'milliseconds for one attempt, its body included',
      ],
      ['maxRetries', String(retries.max), 'attempts beyond the first'],
      ['fetch', 'the global one', 'for proxies and tests'],
      [
        'logger',
        'none',
        '`{ debug, info, warn, error }`, told of every attempt; secrets are redacted',
      ],
      ['trace', 'none', 'wraps every attempt, for spans and metrics'],
      ['dangerouslyAllowBrowser', 'false', 'for pages whose visitors may know the key'],
    ]),
    sentences(
      '`client.withOptions({ timeout: 5_000 })` is the same client with other options.',
      'A call takes `{ idempotencyKey, timeout, maxRetries, signal, headers }` as its last argument.',
    ),
  )
}

function pages({ list }: Tour): string | null {
  if (!list) return null
  const item = nounOf(list.all)
  return blocks(
    'Iterating goes through every item of every page; a page is fetched when it is reached.',
    code(
      `for await (const ${item} of ${call(list.all)}) {`,
      `  ${print(item, list.all.shown)}`,
      '}',
      '',
      `const page = await ${call(list.page)}`,
      'console.log(page.data.length, page.nextCursor)',
      'const next = await page.nextPage() // null after the last one',
    ),
  )
}

function writing({ create, variant }: Tour): string | null {
  if (!create && !variant) return null
  const key = create?.key ? `{ idempotencyKey: ${quote(create.key)} }` : null
  return code(
    ...(create ? [`const ${nounOf(create)} = await ${call(create, key)}`, show(create)] : []),
    ...(create && variant ? [''] : []),
    ...(variant ? [`await ${call(variant)}`] : []),
  )
}

function errors(api: Api, { start, list }: Tour): string {
  const { client, npm } = api.platform
  const base = `${client}Error`
  const cases = [
    [errorClass(api.policy, 404), "console.log('not there:', error.message)"],
    [errorClass(api.policy, 429), "console.log('again in', error.retryAfter, 'seconds')"],
    ['APIError', 'console.log(error.status, error.code, error.requestId)'],
    [base, 'console.log(error.outcome, error.message)'],
  ].filter(([name]) => name !== null)
  const names = cases.map(([name = '']) => name ?? '').sort()
  const some = start ?? list?.page
  const lines = cases.map(([name, action], index) => {
    return `  ${index === 0 ? '' : 'else '}if (error instanceof ${name}) ${action}`
  })
  return blocks(
    some &&
      code(
        `import { ${names.join(', ')} } from ${quote(npm)}`,
        '',
        'try {',
        `  await ${call(some)}`,
        '} catch (error) {',
        ...lines,
        '  else throw error',
        '}',
      ),
    errorsText(api, {
      retryAfter: 'retryAfter',
      outcome: (name) => name,
      base,
      cancelled: 'A call that is aborted rejects with the reason of its signal.',
    }),
  )
}

function answer({ platform }: Api, { read }: Tour): string | null {
  if (!read) return null
  const { operation, path, query } = read
  const target = `${quote(operation.verb)}, ${quote(operation.path)}`
  const places = [
    ...(path.length > 0 ? [`path: ${object(path)}`] : []),
    ...(query.length > 0 ? [`query: ${object(query)}`] : []),
  ]
  const params = places.length > 0 ? [`{ params: { ${places.join(', ')} } }`] : []
  const input = places.length > 0 ? [`{ ${places.join(', ')} }`] : []
  return blocks(
    code(
      `const answer = await ${call(read)}.withResponse()`,
      'console.log(answer.data, answer.response.status, answer.requestId)',
    ),
    sentences(
      '`client.raw` is called like [openapi-fetch](https://openapi-ts.dev/openapi-fetch/), typed by the contract, and throws for no status.',
      `openapi-fetch itself, with middleware, is \`createRawClient(client)\` of \`${platform.npm}/raw\`.`,
      '`client.request` calls any path, also one that is newer than this package.',
    ),
    code(
      fit(`const found = await client.raw.GET(`, [quote(operation.path), ...params], ')'),
      'console.log(found.data, found.error)',
      '',
      fit('await client.request(', [target, ...input], ')'),
    ),
  )
}

function webhooks({ platform, policy }: Api, { event }: Tour, place: Place): string | null {
  if (!event) return null
  const [shown = 'event.data'] = fields('event.data', event.shown)
  const from = (entry: string) => `from ${quote(`${platform.npm}/${entry}`)}`
  const { responses, dedupe } = policy.webhooks
  return blocks(
    code(
      "import { createServer } from 'node:http'",
      `import { isUnknownEvent, MemoryDedupeStore, Webhooks } ${from('webhooks')}`,
      `import { webhookHandler } ${from('webhooks/node')}`,
      '',
      'const webhooks = new Webhooks(secret) // or [newSecret, oldSecret] during a rotation',
      'const store = new MemoryDedupeStore() // of one process; with several, a DedupeStore of yours',
      '',
      'const receive = webhookHandler(',
      '  webhooks,',
      '  async (event) => {',
      "    if (isUnknownEvent(event)) console.log('newer than this package:', event.event)",
      `    else if (event.event === ${quote(event.kind)}) console.log(${shown})`,
      '  },',
      '  { store },',
      ')',
      "createServer(receive).listen(8080) // Express: app.post('/webhooks', receive)",
    ),
    sentences(
      `It answers ${responses.handled} when the handler is done and ${responses.failed} when it throws, so that the service delivers again.`,
      'What is not genuine it refuses without a reason.',
      "`onError`, beside `store`, is told the reason: an error's `code` says what is wrong and its `hint` what to do; `console.error` is the default.",
      `A delivery that is repeated within ${dedupe.keptMs / 3_600_000} hours is not handled again; without a store it is.`,
      'Still an event may be handled twice, where a process dies in between: let the work be idempotent.',
      'In Express it reads the body itself: mount it before `express.json()`.',
    ),
    sentences(
      'For Next.js, Workers, Deno, Bun and Hono, `webhooks/fetch` takes a `Request` and returns a `Response`.',
      'For your tests, `testing` makes deliveries that are really signed, of every kind and of one from the `future`:',
    ),
    code(
      `import { fakeDelivery } ${from('testing')}`,
      `import { Webhooks } ${from('webhooks')}`,
      `import { webhookHandler } ${from('webhooks/fetch')}`,
      '',
      'const receive = webhookHandler(new Webhooks(secret), async (event) => console.log(event.id))',
      '',
      "const overrides = { id: 'evt_test' }",
      fit(
        'const delivery = await fakeDelivery(',
        [quote(event.kind), '{ secret, overrides }'],
        ')',
      ),
      "const request = new Request('http://localhost/webhooks', { method: 'POST', ...delivery })",
      'console.log((await receive(request)).status) // => 204',
    ),
    'Anywhere else, hand over the body as it came, as bytes or text: not parsed, not written again.',
    code(
      `import { Webhooks } ${from('webhooks')}`,
      '',
      'const webhooks = new Webhooks(secret)',
      'const event = await webhooks.unwrap(rawBody, request.headers) // else WebhookVerificationError',
      `if (event.event === ${quote(event.kind)}) console.log(${shown})`,
    ),
    sentences(
      '`await Webhooks.sign(body, secret)` signs as the service does.',
      place === 'repository' &&
        '[examples/typescript](../../examples/typescript) has a whole receiver.',
    ),
  )
}

function code(...lines: string[]): string {
  return fenced('ts', lines.join('\n'))
}

/** The expression that makes a call. */
function call({ operation, path, query, body }: Call, options: string | null = null): string {
  const method = ['client', ...operation.resource.map(camel), methodName(operation)].join('.')
  const needsParams = operation.params !== null && options !== null
  const items = [
    ...path.map(({ value }) => literal(value)),
    ...(body ? [object(body.fields)] : []),
    ...(query.length > 0 ? [object(query)] : needsParams ? ['{}'] : []),
    ...(options ? [options] : []),
  ]
  return fit(`${method}(`, items, ')')
}

function object(given: readonly Given[]): string {
  return `{ ${given.map(({ wire, value }) => `${propertyKey(wire)}: ${literal(value)}`).join(', ')} }`
}

function nounOf({ noun }: Call): string {
  return variable(noun)
}

function show(call: Call): string {
  const line = print(nounOf(call), call.shown)
  return call.prints ? `${line} // => ${call.prints}` : line
}

function print(object: string, shown: readonly Field[]): string {
  return `console.log(${shown.length > 0 ? fields(object, shown).join(', ') : object})`
}

function fields(object: string, shown: readonly Field[]): string[] {
  return shown.map(({ wire }) => {
    const key = propertyKey(wire)
    return key === wire ? `${object}.${wire}` : `${object}[${key}]`
  })
}
