/** The commands that control a running mock server: `trigger`, `deliveries`, `replay`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventKinds } from '@support-chat/sdk/webhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCENARIO_SCHEMA } from '../src/assets.ts'
import type { MockServer } from '../src/index.ts'
import { Commands, control } from './command.ts'
import { KIND, known, OTHER } from './kinds.ts'
import { createMockServer } from './mock.ts'
import { type Receiver, receiver as startReceiver } from './receiver.ts'

const SHIPPED = fileURLToPath(new URL('../scenarios/handoff.yaml', import.meta.url))

let commands: Commands
let mock: MockServer
let receiver: Receiver
let status = 204
beforeAll(async () => {
  commands = new Commands()
  receiver = await startReceiver((response) => void response.writeHead(status).end())
})
beforeEach(async () => {
  status = 204
  mock = await createMockServer({ webhooks: [{ url: receiver.url }] })
})
afterEach(() => mock.close())
afterAll(async () => {
  commands.close()
  await receiver.close()
})

const at = () => ({ SUPPORT_CHAT_BASE_URL: mock.url })
const run = (...args: string[]) => commands.run(args, at())
const json = (...args: string[]) => commands.json(args, at())
const write = (name: string, text: string) => writeFileSync(join(commands.folder, name), text)

describe('trigger', () => {
  it('sends an event with the data that is given', async () => {
    const event = await json('trigger', KIND, '--data', '{"later":1}')
    expect(event).toMatchObject({ event: KIND, data: { later: 1 } })
    write('data.json', '{"reason":"A refund."}')
    const named = await run('trigger', 'conversation.handoff', '--data', '@data.json')
    expect(named).toMatchObject({ code: 0, stderr: '' })
    expect(named.stdout).toMatch(/^conversation\.handoff evt_\w+\n$/)
    await mock.deliveries()
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
      event: 'conversation.handoff',
      data: { reason: 'A refund.' },
    })
  })

  it('says how to receive an event without an endpoint', async () => {
    const other = await createMockServer()
    const { stdout } = await commands.run(['trigger', OTHER, '--url', other.url])
    expect(stdout).toContain('support-chat-mock listen --forward-to URL')
    await other.close()
  })

  it('acts on the sandbox of a key', async () => {
    const key = { ...at(), SUPPORT_CHAT_API_KEY: 'sk_test_other' }
    await commands.run(['trigger', 'conversation.created'], key)
    expect(await mock.deliveries()).toEqual([])
    const { data } = await (
      await fetch(`${mock.url}/_mock/events`, {
        headers: { authorization: 'Bearer sk_test_other' },
      })
    ).json()
    expect(data).toHaveLength(1)
  })

  it('never sends a live key', async () => {
    const key = { ...at(), SUPPORT_CHAT_API_KEY: 'sk_live_secret' }
    const { code, stdout, stderr } = await commands.run(['trigger', 'conversation.created'], key)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('holds a live key')
    expect(stderr).not.toContain('sk_live_secret')
  })

  it.each([
    [['trigger']],
    [['trigger', 'conversation.lost']],
    [['trigger', KIND, '--data', '[]']],
    [['trigger', KIND, '--data', '@nowhere.json']],
    [['trigger', KIND, '--scenario', 'a.yaml']],
    [['trigger', KIND, '--url', 'localhost']],
    [['trigger', '--scenario', 'nowhere.yaml']],
    [['replay']],
    [['replay', 'dlv_1', '--all']],
    [['replay', 'dlv_1', '--state', 'dead']],
    [['deliveries', '--state', 'lost']],
    [['listen']],
    [['listen', '--forward-to', 'localhost:3000']],
    [['listen', '--forward-to', 'http://127.0.0.1:3000', '--events', 'conversation.lost']],
  ])('%j ends with 2 and the reason', async (args) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(/\w/)
  })
})

describe('trigger --scenario', () => {
  it('takes every kind of event', () => {
    const { step } = JSON.parse(readFileSync(SCENARIO_SCHEMA, 'utf8')).$defs
    const { kind } = step.properties.trigger.properties
    expect(kind.enum.toSorted()).toEqual(eventKinds.toSorted())
  })

  it('plays the shipped scenario, step by step', async () => {
    const { code, stdout, stderr } = await run('trigger', '--scenario', SHIPPED)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      '1/7 create',
      '2/7 message',
      '3/7 handoff',
      '4/7 message',
      '5/7 advance',
      '6/7 resolve',
      '7/7 csat',
    ])
    const kinds = (await mock.deliveries()).map(({ kind }) => kind).reverse()
    const all = [
      'conversation.created',
      'conversation.message',
      'conversation.message',
      'conversation.handoff',
      'conversation.message',
      'conversation.resolved',
      'conversation.csat',
    ]
    expect(kinds).toEqual(known(all))
  })

  it('acts on several conversations by their names and IDs', async () => {
    write(
      'two.yaml',
      `steps:
  - { create: , as: first }
  - { create: { text: Hello }, as: second }
  - { resolve: , in: first }
  - { resolve: , in: conv_01J2Z8M3VN }
  - { message: { author: agent, text: Still there? }, in: second }
  - { trigger: { kind: ${OTHER} } }
  - { wait: PT0.01S }
`,
    )
    const { stdout } = await commands.run(['trigger', '--scenario', 'two.yaml', '--json'], at())
    const steps = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(steps).toHaveLength(7)
    expect(steps[2].result).toBe(steps[0].result)
    expect(steps[3].result).toBe('conv_01J2Z8M3VN')
    expect(steps[6]).toEqual({ step: 7, of: 7, action: 'wait', result: 'PT0.01S' })
  })

  it('stops at the step that the mock server refuses, with its location', async () => {
    write('early.yaml', 'steps:\n  - create:\n  - csat: { rating: 5 }\n  - resolve:\n')
    const { code, stdout, stderr } = await run('trigger', '--scenario', 'early.yaml')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^1\/3 create conv_\w+\n$/)
    expect(stderr).toMatch(/^early\.yaml:3:\d+: csat: .* is not resolved\. Resolve it first\.\n$/)
  })

  it.each([
    ['steps: [', /^a\.yaml:\d+:\d+: .* Name a readable YAML or JSON file\.$/],
    ['{}', /^a\.yaml:1:1: .*Add `steps`\.$/],
    ['steps: []', /^a\.yaml:1:\d+: steps .*scenario\.schema\.json/],
    [
      'steps:\n  - say: Hello',
      /^a\.yaml:2:5: Step 1: say is unknown\. Remove it, or use one of: as, in, create, message, handoff, resolve, csat, trigger, advance, wait\.$/,
    ],
    [
      'steps:\n  - create:\n  - { resolve: , for: conv_1 }',
      /^a\.yaml:3:18: Step 2 \(resolve\): for is unknown\. Remove it, or use one of: as, in, /,
    ],
    [
      'steps:\n  - create:\n  - resolve: { why: Done }',
      /^a\.yaml:3:16: Step 2 \(resolve\): why is unknown\. Remove it\.$/,
    ],
    [
      'steps:\n  - create:\n  - message: { author: bot, text: Hello }',
      /^a\.yaml:3:\d+: Step 2 \(message\): author .*Use one of: visitor, agent\.$/,
    ],
    ['steps:\n  - Hello', /^a\.yaml:2:\d+: Step 1 must be object\. /],
    [
      'steps:\n  - create:\n  - advance: 1h',
      /^a\.yaml:3:\d+: Step 2 \(advance\) is malformed\. Write it like PT24H\.$/,
    ],
    [
      'steps:\n  - wait: P9999D',
      /^a\.yaml:2:\d+: A `wait` runs on the real clock and takes at most a day\. Use `advance`/,
    ],
    ['steps:\n  - wait: PT24H0.001S', /^a\.yaml:2:\d+: A `wait` .* at most a day/],
    [
      'steps:\n  - { create: , as: a }\n  - { create: , as: a }',
      /^a\.yaml:3:\d+: The name a is already taken\. Give each conversation its own name\.$/,
    ],
    [
      'steps:\n  - trigger: { kind: lost }',
      /^a\.yaml:2:\d+: Step 1 \(trigger\): kind .*Use one of: .*\bconversation\.created/,
    ],
    [
      'steps:\n  - create:\n    resolve:',
      /^a\.yaml:2:\d+: A step needs exactly one of create, message, .*\.$/,
    ],
    ['steps:\n  - in: conv_1', /^a\.yaml:2:\d+: A step needs exactly one of create, .*\.$/],
    [
      'steps:\n  - handoff: A refund.',
      /^a\.yaml:2:\d+: `handoff` needs a conversation\. Add a `create` step before it, or/,
    ],
    [
      'steps:\n  - create:\n  - { resolve: , in: b }',
      /^a\.yaml:3:\d+: No earlier step names a conversation b\. Add `create` with `as: b`/,
    ],
    [
      'steps:\n  - { advance: PT1H, in: b }',
      /^a\.yaml:2:\d+: `advance` does not act on a conversation/,
    ],
    ['steps:\n  - { advance: PT1H, as: b }', /^a\.yaml:2:\d+: Only `create` takes `as`/],
  ])('%j is refused at its location, before any step runs', async (text, message) => {
    write('a.yaml', text)
    const { code, stdout, stderr } = await run('trigger', '--scenario', 'a.yaml')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(message)
    expect(await mock.deliveries()).toEqual([])
  })
})

describe('deliveries and replay', () => {
  it('show what was sent and send it again', async () => {
    expect((await run('deliveries')).stdout).toMatch(/^No deliveries\./)
    status = 410
    await mock.trigger('conversation.created')
    await mock.trigger(KIND)
    await mock.deliveries()
    const { stdout } = await run('deliveries', '--kind', KIND)
    const [headings, row, ...rest] = stdout.trim().split('\n')
    expect(headings).toMatch(/^ID +KIND +EVENT +ENDPOINT +STATE +ATTEMPTS +LAST +RESULT$/)
    expect(row).toMatch(
      /^dlv_2 +\S+ +evt_\w+ +ep_\w+ +dead +1 +[\d-]{10} [\d:]{8} +410: refused, not retried$/,
    )
    expect(rest).toEqual([])

    status = 204
    expect((await run('replay', 'dlv_1')).stdout).toMatch(
      /^Replaying dlv_1: conversation\.created evt_\w+\.\n$/,
    )
    await mock.deliveries()
    expect(await json('replay', '--all')).toEqual({ replayed: 1 })
    await mock.deliveries()
    expect((await run('replay', '--all')).stdout).toBe('Replaying 0 deliveries.\n')
    expect(await json('replay', '--all', '--state', 'succeeded', '--kind', KIND)).toEqual({
      replayed: 1,
    })
    expect(await json('deliveries', '--state', 'dead')).toEqual([])
    const none = ['deliveries', '--state', 'dead', '--kind', KIND]
    expect((await run(...none)).stdout).toBe(
      'No deliveries match. Leave out --state and --kind to list all.\n',
    )
    expect(await mock.deliveries()).toMatchObject([
      { id: 'dlv_2', attempts: [{ status: 410 }, { status: 204 }, { status: 204 }] },
      { id: 'dlv_1', attempts: [{ status: 410 }, { status: 204 }] },
    ])
  })

  it('print the error of the mock server', async () => {
    const { code, stdout, stderr } = await run('replay', 'dlv_99')
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no delivery dlv_99.\n',
    })
  })
})

describe('without a mock server', () => {
  const serverSending = async (body: string) => {
    const server = createServer((_, response) => response.end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
  }

  it.each(['deliveries', 'replay --all', 'trigger conversation.created'])(
    '%s says how to start one',
    async (command) => {
      const { url, server } = await serverSending('')
      await new Promise((resolve) => server.close(resolve))
      const { code, stdout, stderr } = await commands.run([...command.split(' '), '--url', url])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(
        `No mock server is running at ${url}. Start one with \`support-chat-mock serve\`, or set another URL with --url.\n`,
      )
    },
  )

  it('deliveries reports another program and a stateless server', async () => {
    const { url, server } = await serverSending('<html>')
    const other = await commands.run(['deliveries', '--url', url])
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).toContain(`The server at ${url} is not a mock server`)
    server.close()
    const stateless = await commands.serve(['--stateless'])
    const refused = await commands.run(['deliveries', '--url', stateless.url])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Start it without --stateless')
    expect((await control(stateless.url, 'health')).status).toBe(200)
  })
})
