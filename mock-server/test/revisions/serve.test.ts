/** `serve` with several contracts: what it prints, follows, refuses and keeps. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SupportChat } from '@support-chat/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands, control, settled } from '../command.ts'
import type { Node } from '../edited/tools.ts'
import { AUTH } from '../support.ts'
import { documentOf, NEW, OLD } from './pairs.ts'

const THREAD = 'conv_01J2Z7Q4KX'

let commands: Commands
let old: string
let now: string
beforeEach(() => {
  commands = new Commands()
  old = join(commands.folder, 'old.json')
  now = join(commands.folder, 'new.json')
  save(old, 'nothing', OLD)
  save(now, 'a renamed field', NEW)
})
afterEach(() => commands.close())

function save(file: string, name: string, version: string): void {
  writeFileSync(file, JSON.stringify(documentOf(name, version), null, 2))
}

const both = () => ['--contract', old, '--contract', now]

async function json(url: string, path: string, revision?: string): Promise<Node> {
  const headers = { ...AUTH, ...(revision && { 'x-mock-revision': revision }) }
  return (await fetch(url + path, { headers })).json()
}

const message = async (url: string, revision?: string) =>
  (await json(url, `/v1/conversations/${THREAD}`, revision)).transcript[0]

describe('serve with two contracts', () => {
  it('says how to choose one, and serves the SDK of the old one beside requests of the new', async () => {
    const { url, stdout, stderr, stop } = await commands.serve([...both(), '--memory', '--strict'])
    expect(stdout()).toContain(`x-mock-revision. The default is the first:
  1.0.0  ${old}
  2.0.0  ${now}
`)
    const client = new SupportChat({ apiKey: 'sk_test_demo', baseURL: url, strict: true })
    const sent = await client.conversations.messages.create(THREAD, { text: 'From the SDK.' })
    expect(sent.text).toBe('From the SDK.')
    const { transcript } = await json(url, `/v1/conversations/${THREAD}`, NEW)
    expect(transcript.at(-1)).toMatchObject({ id: sent.id, body: 'From the SDK.' })
    const pages = await client.conversations.list({ limit: 2 })
    expect(pages.data).toHaveLength(2)
    expect(await stop()).toBe(0)
    const lines = stderr().trim().split('\n')
    const told = lines.map((line) => JSON.parse(line))
    expect(new Set(lines.map((line) => line.replace(/"time":"[^"]*"/, ''))).size).toBe(lines.length)
    for (const { revision, detail } of told) {
      expect([revision, detail]).toEqual([NEW, 'carried over from text'])
    }
  })

  it('lets the commands choose one', async () => {
    save(now, 'a new kind of event', NEW)
    const { url } = await commands.serve([...both(), '--memory'])
    const at = { SUPPORT_CHAT_BASE_URL: url }
    const trigger = ['trigger', 'conversation.assigned']
    expect((await commands.run(trigger, at)).code).toBe(2)
    const event = await commands.json([...trigger, '--revision', NEW], at)
    expect(event.event).toBe('conversation.assigned')
    const wrong = await commands.run([...trigger, '--revision', '9'], at)
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'There is no revision "9". Use one of: 1.0.0, 2.0.0.\n',
    ])
  })

  it('responds from both contracts without a state', async () => {
    const { url } = await commands.serve([...both(), '--stateless'])
    expect(await message(url)).toHaveProperty('text')
    expect(await message(url, NEW)).toHaveProperty('body')
    const { detail } = await json(url, '/v1/conversations', '9')
    expect(detail).toBe('There is no revision "9". Use one of: 1.0.0, 2.0.0.')
  })

  it.each([
    ['is missing', () => {}, /nowhere\.json:1:1: .+ Name a readable YAML or JSON file\.\n$/],
    [
      'is broken',
      () => writeFileSync(join(commands.folder, 'nowhere.json'), '{ "openapi": '),
      /nowhere\.json:\d+:\d+: .+ Name a readable YAML or JSON file\.\n$/,
    ],
    [
      'is no contract',
      () => writeFileSync(join(commands.folder, 'nowhere.json'), '{}'),
      /nowhere\.json:1:1: This is not an OpenAPI 2\.0, 3\.0 or 3\.1 document\. Start it with .+\n$/,
    ],
  ])('does not start where the second one %s', async (_, prepare, text) => {
    prepare()
    const args = ['--contract', old, '--contract', 'nowhere.json', '--memory']
    const { code, stdout, stderr } = await commands.run(['serve', '--port', '0', ...args])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(text)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('serve --watch with two contracts', () => {
  it('reloads both, and endpoints and keys follow a contract that gets another version', async () => {
    const { url, stderr } = await commands.serve([...both(), '--watch', '--memory', '--strict'])
    const lines = () => stderr().split('\n').slice(0, -1)
    const reloads = () => lines().filter((line) => line.startsWith('Reloaded ')).length
    await control(url, 'endpoints', { url: 'http://127.0.0.1:9/', revision: NEW })
    await fetch(`${url}/_mock/revision`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: NEW }),
    })
    expect(await message(url)).toHaveProperty('body')

    save(now, 'a renamed field', '2.1.0')
    await expect.poll(reloads).toBe(2)
    expect(lines().filter((line) => line.startsWith('Reloaded '))).toEqual([
      `Reloaded ${old}.`,
      `Reloaded ${now}.`,
    ])
    expect(await message(url)).toHaveProperty('body')
    const { data } = await json(url, '/_mock/endpoints')
    expect(data[0].revision).toBe('2.1.0')
    await control(url, 'trigger', { kind: 'conversation.message' })
    await settled(url)
    const { data: events } = await json(url, '/_mock/events', '2.1.0')
    expect(events[0].data.message).toHaveProperty('body')
    const gone = await fetch(`${url}/v1/conversations`, {
      headers: { ...AUTH, 'x-mock-revision': NEW },
    })
    expect(gone.status).toBe(400)

    // Each gets the version of the other.
    save(old, 'nothing', '2.1.0')
    await expect.poll(reloads).toBe(4)
    save(now, 'a renamed field', OLD)
    await expect.poll(reloads).toBe(6)
    expect(await message(url, OLD)).toHaveProperty('body')
    expect(await message(url, '2.1.0')).toHaveProperty('text')
    expect(await message(url)).toHaveProperty('body')

    writeFileSync(old, '{')
    await expect.poll(() => lines().at(-1)).toMatch(/old\.json:\d+:\d+: /)
    expect(await message(url, OLD)).toHaveProperty('body')
  })
})

describe('data of a run with two contracts', () => {
  it('is served with one, and again with both', async () => {
    const kept = ['--data-dir', 'data']
    const first = await commands.serve([...both(), ...kept])
    const nowhere = 'http://127.0.0.1:9/'
    await control(first.url, 'endpoints', { url: nowhere, revision: NEW })
    await control(first.url, 'endpoints', { url: nowhere, revision: OLD })
    await control(first.url, 'trigger', { kind: 'conversation.message' })
    await settled(first.url)
    await first.stop()

    const second = await commands.serve(['--contract', old, ...kept])
    expect(second.stderr()).toContain('"revisions":["2.0.0"]')
    expect(second.stderr()).toContain('revisions that are not served get the first contract')
    await control(second.url, 'trigger', { kind: 'conversation.message' })
    await settled(second.url)
    const { data } = await json(second.url, '/_mock/deliveries')
    expect(data).toHaveLength(4)
    const { data: log } = await json(second.url, '/_mock/events')
    expect(log.map((event: Node) => 'text' in event.data.message)).toEqual([true, true])
    await second.stop()

    const third = await commands.serve([...both(), ...kept])
    await control(third.url, 'trigger', { kind: 'conversation.message' })
    await settled(third.url)
    const { data: events } = await json(third.url, '/_mock/events', NEW)
    expect(events.map((event: Node) => 'body' in event.data.message)).toEqual([true, true])
    const { data: all } = await json(third.url, '/_mock/deliveries')
    expect(all).toHaveLength(6)
    expect(third.stderr()).not.toContain('not served')
    await third.stop()

    const plain = await commands.serve(kept)
    expect((await json(plain.url, '/_mock/deliveries')).data).toHaveLength(6)
    await plain.stop()
    const last = await commands.serve([...both(), ...kept])
    expect((await json(last.url, '/_mock/endpoints')).data).toMatchObject([
      { revision: NEW },
      { revision: OLD },
    ])
  })
})
