/** What `check-integration --traffic` finds in recordings, in HAR files of browsers, and in broken files. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SupportChat } from '@support-chat/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer } from '../src/index.ts'
import { Commands } from './command.ts'
import { editedContract } from './edited-contract.ts'
import { CONTRACT } from './oracle-of.ts'

const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/integration/${name}`, import.meta.url))
const SHOP = ['--from', fixture('old.yaml'), '--contract', fixture('new.yaml')]

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(() => commands.close())

const run = (...args: string[]) => commands.run(['check-integration', ...args])
const file = (name: string, text: string | Buffer) => {
  const path = join(commands.folder, name)
  writeFileSync(path, text)
  return path
}

interface Found {
  kind: string
  effect: string
  traffic: Array<{ entry: number; what: string; language: string | null; effect: string }>
}

async function findings(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  const { hits, ...report } = JSON.parse(stdout)
  const told = hits.map(({ kind, effect, traffic }: Found) => [
    effect,
    kind,
    ...traffic.map(({ entry, language }) => (language ? `${entry} ${language}` : `${entry}`)),
  ])
  return { ...report, told }
}

describe('traffic of the mock server', () => {
  async function recorded(): Promise<string> {
    const record = join(commands.folder, 'traffic.har')
    const webhooks = [{ url: 'http://127.0.0.1:9/hooks' }]
    const mock = await createMockServer({ record, webhooks })
    const client = new SupportChat({ apiKey: mock.apiKey, baseURL: mock.url })
    const { data } = await client.conversations.list({ status: 'open' })
    await client.conversations.list({ limit: 3 })
    const id = data[0]?.id ?? ''
    await client.conversations.get(id)
    await client.conversations.messages.create(id, { text: 'Short.' })
    await client.conversations.messages.create(id, { text: 'Longer than twenty characters.' })
    await mock.trigger('conversation.csat')
    await mock.trigger('conversation.handoff')
    await mock.advance('PT20M') // a retry brings the same event again
    await mock.fetch('/v1/nowhere')
    await mock.close()
    return record
  }

  it('hits exactly the calls and events that a change breaks, silent ones first', async () => {
    const contract = editedContract(
      commands.folder,
      ({ paths, webhooks, components: { schemas } }) => {
        const list = paths['/v1/conversations'].get
        list.parameters = list.parameters.filter(({ name }: { name: string }) => name !== 'status')
        schemas.MessageCreateParams.properties.text.maxLength = 20
        const { text, ...others } = schemas.Message.properties
        schemas.Message.properties = { ...others, body: { ...text, 'x-renamed-from': 'text' } }
        schemas.Message.required = ['id', 'conversation_id', 'author', 'body', 'created_at']
        delete webhooks['conversation.csat']
      },
    )
    const traffic = await recorded()
    const { log } = JSON.parse(readFileSync(traffic, 'utf8'))
    const entryOf = (
      test: (entry: { request: { url: string }; _webhook?: { kind: string } }) => boolean,
    ) => log.entries.flatMap((entry: never, index: number) => (test(entry) ? [index + 1] : []))
    const calls: number[] = entryOf(({ _webhook }) => !_webhook)
    const kind = (name: string): number => entryOf(({ _webhook }) => _webhook?.kind === name)[0]
    const messages = new Map<string, number>()
    for (const [index, { request, _webhook }] of log.entries.entries()) {
      if (_webhook?.kind !== 'conversation.message') continue
      const { id } = JSON.parse(request.postData.text)
      if (!messages.has(id)) messages.set(id, index + 1)
    }
    const ts = (...indexes: number[]) => indexes.map((index) => `${calls[index]} typescript`)

    const { told, ...report } = await findings('--contract', contract, '--traffic', traffic)
    expect(report).toMatchObject({
      before: 'the contract of this package',
      source: null,
      traffic: { calls: 5, events: 4, unreadable: [] },
      refused: [],
    })
    expect(report.traffic.unknown).toEqual([expect.stringMatching(/^GET .*\/v1\/nowhere$/)])
    expect(told).toEqual([
      ['silent', 'query-parameter-removed', ...ts(0)],
      ['silent', 'event-removed', `${kind('conversation.csat')}`],
      ['silent', 'event-field-renamed-kept', ...[...messages.values()].map(String)],
      ['rejected', 'request-field-tightened', ...ts(4)],
      ['warning', 'response-field-renamed-kept', ...ts(2, 3, 4)],
    ])
  })

  it('hits nothing where nothing changes', async () => {
    const traffic = await recorded()
    const { code, stdout } = await run('--contract', CONTRACT, '--traffic', traffic)
    expect(code).toBe(0)
    expect(stdout).toContain('No change hits this integration.')
  })
})

describe('a HAR file of a browser', () => {
  const HAR = readFileSync(fixture('chromium.har'), 'utf8')
  const EXPECTED = [
    ['silent', 'query-parameter-removed', '2'],
    ['silent', 'response-field-optional-renamed-kept', '2'],
    ['silent', 'event-field-type-changed', '5'],
    ['rejected', 'request-field-tightened', '3'],
  ]

  it('is read below the paths of proxies, beside everything else that a browser loads', async () => {
    const { told, traffic } = await findings(...SHOP, '--traffic', fixture('chromium.har'))
    expect(told).toEqual(EXPECTED)
    expect(traffic).toMatchObject({ calls: 3, events: 1, unknown: ['GET shop.example/app.css'] })
  })

  it('shows no secret, and says what it read', async () => {
    const { code, stdout, stderr } = await run(...SHOP, '--traffic', fixture('chromium.har'))
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).not.toContain('s3cr3t')
    expect(stdout).toContain('Read 3 calls and 1 event in ')
    expect(stdout).toMatch(
      /Silently wrong \(3\)\n {2}orders\.list\(colour\) was removed\..*\n.* entry 2: GET \/base\/v1\/orders → 200 · silent\n/,
    )
    expect(stdout).toContain('4 changes (3 silently wrong) hit 3 recorded exchanges.\n')
  })

  it('may have its entries in lines, a byte order mark, or an end that was cut', async () => {
    const { log } = JSON.parse(HAR)
    const lines = log.entries.map((entry: object) => JSON.stringify(entry))
    const texts = [
      lines.join('\n'),
      `\ufeff${HAR}`,
      `{"log":{"version":"1.2","entries":[\n${lines.join(',\n')},\n{"startedDateTime":"20`,
    ]
    for (const [index, text] of texts.entries()) {
      const path = file(`traffic-${index}.har`, text)
      expect((await findings(...SHOP, '--traffic', path)).told).toEqual(EXPECTED)
    }
  })

  it('is read without the entries that lack something', async () => {
    const { log } = JSON.parse(HAR)
    const chat = 'https://chat.example/services/T0p53cr3tT0p53cr3tT0p53cr3t'
    const broken = [null, 7, {}, { request: {} }, { request: { method: 'GET' } }]
    const odd = { request: { method: 'GET', url: 'not a URL', headers: 7 } }
    const bare = { request: { method: 'GET', url: 'http://x/base/v1/orders?colour=red' } }
    const other = { request: { method: 'POST', url: chat } }
    const entries = [...broken, odd, bare, log.entries[2], other]
    const path = file('traffic.har', JSON.stringify({ log: { entries } }))
    const { told, traffic } = await findings(...SHOP, '--traffic', path)
    expect(told).toEqual([
      ['silent', 'query-parameter-removed', '7'],
      ['rejected', 'request-field-tightened', '8'],
    ])
    expect(traffic.unreadable).toEqual([
      ...[1, 2, 3, 4].map((entry) => `entry ${entry} has no request.method`),
      'entry 5 has no request.url',
      'entry 6 has no valid request.url',
    ])
    expect(traffic.unknown).toEqual(['POST chat.example/services/…'])
  })

  it('may be large', async () => {
    const { log } = JSON.parse(HAR)
    const content = { size: 1_000_000, mimeType: 'text/plain', text: 'x'.repeat(1_000_000) }
    const [page, ...rest] = log.entries
    const large = { ...page, response: { ...page.response, content } }
    log.entries = [...rest, ...Array(50).fill(large)]
    const path = file('traffic.har', JSON.stringify({ log }))
    const { told, traffic } = await findings(...SHOP, '--traffic', path)
    expect(told).toHaveLength(4)
    expect(traffic.unknown).toHaveLength(50)
  })
})

describe('bad input', () => {
  const HAR_CURE = 'Name a HAR file, as browsers, proxies and `serve --record` write it.'

  it.each([
    ['text', 'GET /v1/orders', 'is neither JSON nor lines of JSON'],
    ['an empty file', '', 'is neither JSON nor lines of JSON'],
    ['a list', '[]', 'has no log.entries'],
    ['another document', '{"openapi":"3.1.0"}', 'has no log.entries'],
    ['entries that are none', '{"log":{"entries":7}}', 'has no log.entries'],
    ['broken entries', '{"log":{"entries":[{}]}}', 'has no entry that can be read: entry 1 has'],
    ['bytes', Buffer.from([0xff, 0xfe, 0, 1]), 'is neither JSON nor lines of JSON'],
  ])('%s as traffic is a sentence with its cure', async (_, text, why) => {
    const path = file('traffic.har', text)
    const { code, stdout, stderr } = await run(...SHOP, '--traffic', path)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`--traffic: ${path} ${why}`)
    expect(stderr).toContain(HAR_CURE)
  })

  it('names the file that is not there', async () => {
    const missing = join(commands.folder, 'none')
    const wrong: Array<[string[], string]> = [
      [[...SHOP, '--traffic', missing], `--traffic: ${missing} does not exist. ${HAR_CURE}`],
      [[...SHOP, '--traffic', commands.folder], `${commands.folder} is a folder. ${HAR_CURE}`],
      [['--contract', missing], `${missing} does not exist. Name a file with an OpenAPI`],
      [['--from', missing, ...SHOP.slice(2)], `${missing} does not exist.`],
      [['--contract', file('a.yaml', 'a: [')], 'a.yaml:1:5: '],
      [
        ['--contract', file('b.yaml', 'a: 1')],
        'b.yaml:1:1: This is not an OpenAPI 2.0, 3.0 or 3.1 document.',
      ],
      [[], "required option '--contract <new>' not specified"],
    ]
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await run(...args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(message)
    }
  })
})
