/** What `serve --record` and `createMockServer({ record })` write: calls and deliveries, without secrets. */
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SupportChat } from '@support-chat/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Entry, entryOf, KEPT, REDACTED } from '../src/record/har.ts'
import { Commands, control, settled } from './command.ts'
import { createMockServer } from './mock.ts'
import { receiver } from './receiver.ts'
import { AUTH, TRAPS } from './support.ts'

let commands: Commands
let file: string
beforeEach(() => {
  commands = new Commands()
  file = join(commands.folder, 'traffic.har')
})
afterEach(() => commands.close())

const entries = (): Entry[] => JSON.parse(readFileSync(file, 'utf8')).log.entries
const summary = () =>
  entries().map(({ request, response }) => {
    const { pathname, search } = new URL(request.url)
    return `${request.method} ${pathname}${search} ${response.status}`
  })
const get = (url: string, path: string) =>
  fetch(url + path, { headers: AUTH }).then((response) => response.text())

describe('serve --record', () => {
  it('writes calls and deliveries as a HAR that names no secret', async () => {
    const endpoint = await receiver()
    const { url } = await commands.serve(['--memory', '--empty', '--record', file])
    expect(JSON.parse(readFileSync(file, 'utf8')).log).toMatchObject({
      version: '1.2',
      creator: { name: 'support-chat-mock', version: expect.stringMatching(/^\d/) },
      entries: [],
    })
    const added = await control(url, 'endpoints', { url: `${endpoint.url}/hooks?token=t0p` })
    const { secret } = await added.json()
    const created = await (await control(url, 'conversations', { text: 'Hello' })).json()
    await settled(url)
    const client = new SupportChat({ apiKey: 'sk_test_demo', baseURL: url })
    await client.conversations.messages.create(created.id, { text: 'Hi' })
    await settled(url)
    await get(url, '/v1/unknown')
    await get(url, '/docs')
    await get(url, '/_mock/events')
    await endpoint.close()

    const calls = entries().filter((entry) => !entry._webhook)
    expect(summary().filter((line) => !line.includes('/hooks'))).toEqual([
      `POST /v1/conversations/${created.id}/messages 201`,
      'GET /v1/unknown 404',
    ])
    expect(JSON.parse(calls[0]?.request.postData?.text ?? '')).toEqual({ text: 'Hi' })
    expect(JSON.parse(calls[0]?.response.content.text ?? '')).toMatchObject({ text: 'Hi' })
    const sent = calls[0]?.request.headers ?? []
    expect(sent).toContainEqual({ name: 'authorization', value: REDACTED })

    const deliveries = entries().filter((entry) => entry._webhook)
    expect(deliveries).toHaveLength(endpoint.received.length)
    const [delivery] = deliveries
    expect(delivery).toMatchObject({
      request: { method: 'POST', postData: { mimeType: 'application/json' } },
      response: { status: 204 },
      _webhook: { kind: 'conversation.created', attempt: 1 },
    })
    expect(JSON.parse(delivery?.request.postData?.text ?? '').id).toBe(delivery?._webhook?.event)
    const text = readFileSync(file, 'utf8')
    for (const hidden of ['sk_test_demo', secret, 't0p', 'sha256=']) {
      expect(text).not.toContain(hidden)
    }
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('records an attempt without a response, and its retry', async () => {
    const { url } = await commands.serve(['--memory', '--record', file])
    await control(url, 'endpoints', { url: 'http://127.0.0.1:9/hooks' })
    await control(url, 'trigger', { kind: 'conversation.created' })
    await control(url, 'clock', { advance: 'PT20M' })
    const attempts = entries().map(({ response, _webhook }) => [
      _webhook?.attempt,
      response.status,
      response._error,
    ])
    expect(attempts).toEqual([
      [1, 0, expect.stringContaining('ECONNREFUSED')],
      [2, 0, expect.stringContaining('ECONNREFUSED')],
    ])
  })

  it('keeps everything when it is killed, and continues at the next start', async () => {
    const first = await commands.serve(['--memory', '--record', file])
    await get(first.url, '/v1/conversations')
    await get(first.url, '/v1/conversations?limit=1')
    first.child.kill('SIGKILL')
    await first.exit
    expect(summary()).toEqual(['GET /v1/conversations 200', 'GET /v1/conversations?limit=1 200'])
    // The last write did not reach the disk as a whole.
    truncateSync(file, statSync(file).size - 40)

    const second = await commands.serve(['--memory', '--record', file])
    expect(summary()).toEqual(['GET /v1/conversations 200'])
    await get(second.url, '/v1/conversations?limit=2')
    expect(await second.stop()).toBe(0)
    expect(summary()).toEqual(['GET /v1/conversations 200', 'GET /v1/conversations?limit=2 200'])
    truncateSync(file, 200)
    await (await commands.serve(['--memory', '--record', file])).stop()
    expect(summary()).toEqual([])
  })

  it('leaves files of others as they are', async () => {
    for (const text of ['notes', '{"log":{"version":"1.2","creator":', '{}']) {
      writeFileSync(file, text)
      const { code, stdout, stderr } = await commands.run(['serve', '--memory', '--record', file])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^--record: .*traffic\.har (exists and is no recording|is damaged)/)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    for (const wrong of [commands.folder, join(commands.folder, 'none/traffic.har')]) {
      const { code, stderr } = await commands.run(['serve', '--memory', '--record', wrong])
      expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be written: it')])
    }
  })

  it('stops recording, and continues to serve, when another program changes the file', async () => {
    const { url, stderr } = await commands.serve(['--memory', '--record', file])
    appendFileSync(file, 'mine')
    const before = readFileSync(file, 'utf8')
    await get(url, '/v1/conversations')
    await get(url, '/v1/conversations')
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(
      stderr()
        .split('\n')
        .filter((line) => line.startsWith('--record')),
    ).toEqual([
      `--record: ${file} cannot be written: another program has changed it. Nothing more is recorded; the server continues.`,
    ])
  })

  it('hides the keys of any contract', async () => {
    const { url } = await commands.serve(['--stateless', '--contract', TRAPS, '--record', file])
    await fetch(`${url}/v1/things?api_key=k3y&x=1`, {
      headers: { 'x-api-key': 'k3y', cookie: 'session=k3y', 'proxy-authorization': 'k3y' },
    }).then((response) => response.text())
    expect(entries()).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).not.toContain('k3y')
  })
})

it('records in a test, with what its own fetch sends', async () => {
  const mock = await createMockServer({ record: file, empty: true })
  await mock.fetch('/v1/conversations', { headers: AUTH })
  await mock.fetch('/v1/conversations', { headers: { ...AUTH, 'x-mock-fault': 'truncate' } })
  await mock
    .fetch('/v1/conversations', { headers: { ...AUTH, 'x-mock-fault': 'reset' } })
    .catch(() => {})
  await mock.close()
  expect(entries().map(({ response }) => [response.status, response._error])).toEqual([
    [200, undefined],
    [200, 'truncated'],
    [0, 'reset'],
  ])
  await expect(createMockServer({ record: commands.folder })).rejects.toThrow(/it is a folder/)
})

describe('a body in a recording', () => {
  const entry = (bytes: Uint8Array, size = bytes.length) =>
    entryOf(
      {
        started: 0,
        time: 1,
        method: 'POST',
        url: 'http://me:pass@localhost/a',
        request: { headers: { 'content-type': 'x/y' }, body: { size, bytes } },
        response: { status: 200, headers: {}, body: { size, bytes } },
      },
      new Set(),
    )

  it('is base64 where it is no text', () => {
    const { request, response } = entry(Uint8Array.of(0xff, 0, 0x80))
    expect(request.postData).toEqual({ mimeType: 'x/y', text: '/wCA', _encoding: 'base64' })
    expect(response.content).toEqual({ size: 3, mimeType: '', text: '/wCA', encoding: 'base64' })
    expect(request.url).toBe('http://localhost/a')
  })

  it('is cut after 256 KiB, between characters, and says so', () => {
    const whole = Buffer.from('é'.repeat(KEPT))
    const { response } = entry(whole.subarray(1, KEPT + 1), whole.length)
    expect(response.content.encoding).toBe('base64')
    const { content } = entry(whole.subarray(0, KEPT), whole.length).response
    expect(content).toMatchObject({ size: whole.length, comment: `the first ${KEPT} bytes` })
    const cut = entry(Buffer.from(`a${'é'.repeat(KEPT)}`).subarray(0, KEPT), 2 * KEPT).response
    expect(cut.content.text).toBe(`a${'é'.repeat(KEPT / 2 - 1)}`)
  })
})
