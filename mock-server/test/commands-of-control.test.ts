/** The commands for faults, snapshots, endpoints, events and held deliveries, and what all commands share. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MockServer } from '../src/index.ts'
import { Commands } from './command.ts'
import { createMockServer } from './mock.ts'
import { type Receiver, receiver as startReceiver } from './receiver.ts'

let commands: Commands
let mock: MockServer
let receiver: Receiver
beforeAll(async () => {
  commands = new Commands()
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.received.length = 0
  mock = await createMockServer({ webhooks: [{ url: receiver.url }] })
})
afterEach(() => mock.close())
afterAll(async () => {
  commands.close()
  await receiver.close()
})

const at = () => ({ SUPPORT_CHAT_BASE_URL: mock.url })
const run = (args: string, env = {}) => commands.run(args.split(' '), { ...at(), ...env })
const json = (args: string) => commands.json(args.split(' '), at())
const call = () =>
  mock.fetch('/v1/conversations', { headers: { authorization: `Bearer ${mock.apiKey}` } })

it('faults are added, listed and removed', async () => {
  const rule = '--path /v1/conversations --status 429 --retry-after 2 --times 1'
  const added = await json(`faults add ${rule}`)
  expect(added).toMatchObject({ status: 429, retry_after: 2, left: 1 })
  expect((await call()).status).toBe(429)
  expect((await run('faults')).stdout).toContain('status 429, Retry-After 2')
  expect((await run('faults clear')).code).toBe(0)
  expect(await json('faults')).toEqual([])
  const refused = await run('faults add --path /conversations')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Did you mean /v1/conversations?')
})

it('snapshots are taken, listed, restored and removed', async () => {
  await run('snapshots take base')
  await mock.trigger('conversation.created')
  expect((await run('snapshots')).stdout).toContain('base')
  expect((await run('snapshots restore base')).stdout).toContain('Restored base.')
  expect(await mock.events()).toEqual([])
  expect((await run('snapshots remove base')).code).toBe(0)
  expect(await json('snapshots')).toEqual([])
})

it('deliveries are paused, retried, cancelled and resumed in another order', async () => {
  expect((await run('deliveries pause')).code).toBe(0)
  for (const kind of ['conversation.created', 'conversation.handoff', 'conversation.resolved'])
    await mock.trigger(kind)
  expect((await run('deliveries')).stdout).toContain('The deliveries are paused.')
  const [last, middle] = await json('deliveries')
  expect((await run(`deliveries cancel ${last.id}`)).stdout).toContain('Cancelled')
  expect((await run(`deliveries retry ${middle.id}`)).code).toBe(0)
  await mock.deliveries()
  expect((await run('deliveries resume --order reverse')).code).toBe(0)
  const kinds = receiver.received.map(({ body }) => JSON.parse(body).event)
  expect(kinds).toEqual(['conversation.handoff', 'conversation.created'])
  expect((await run('deliveries')).stdout).toContain('cancelled')
})

it('a delivery is shown with what was sent and what came back', async () => {
  const event = await mock.trigger('conversation.handoff')
  const [delivery] = await mock.deliveries()
  const { code, stdout } = await run(`deliveries ${delivery?.id}`)
  expect(code).toBe(0)
  expect(stdout).toContain(`> x-service-event: conversation.handoff`)
  expect(stdout).toContain(`> ${JSON.stringify(event)}`)
  expect(stdout).toContain('Attempt 1')
  expect((await run('deliveries dlv_99')).code).toBe(1)
})

it('events are listed, shown and sent again', async () => {
  const { id } = await mock.trigger('conversation.handoff')
  await mock.deliveries()
  expect((await run('events')).stdout).toContain(`${id}  conversation.handoff`)
  const shown = await json(`events ${id}`)
  expect(shown).toMatchObject({ event: { id }, deliveries: [{ state: 'succeeded' }] })
  expect((await run(`events resend ${id}`)).stdout).toContain('Replaying 1 delivery')
  await mock.deliveries()
  expect(receiver.received).toHaveLength(2)
  expect(await run('events resend evt_none')).toMatchObject({ code: 2, stdout: '' })
})

it('endpoints are listed, disabled and enabled', async () => {
  const id = mock.endpoints[0]?.id
  await run(`endpoints disable ${id}`)
  expect((await run('endpoints')).stdout).toContain('disabled')
  await run(`endpoints enable ${id}`)
  expect(await json('endpoints')).toMatchObject([{ id, disabled: false }])
})

describe('every command', () => {
  it.each([
    ['deliveries dlv_99 --json', 1, { status: 404, code: 'delivery_not_found' }],
    ['trigger conversation.hadnoff --json', 2, { message: /Did you mean conversation.handoff\?/ }],
    ['trigger --json', 2, { message: /Give either/ }],
    ['faults add --status x --json', 2, { message: /Use a number/ }],
    ['nothing --json', 2, { message: /unknown command/ }],
  ])('%s reports its failure as JSON on stderr', async (args, code, error) => {
    const failed = await run(args)
    expect(failed).toMatchObject({ code, stdout: '' })
    const { message, ...facts } = JSON.parse(failed.stderr).error
    const { message: expected = /./, ...others } = error as { message?: RegExp }
    expect(message).toMatch(expected)
    expect(facts).toEqual(others)
  })

  it('has colours if they are forced, and none for a program', async () => {
    await mock.trigger('conversation.handoff')
    await mock.deliveries()
    const code = String.fromCharCode(27)
    expect((await run('deliveries')).stdout).not.toContain(code)
    expect((await run('deliveries', { FORCE_COLOR: '1' })).stdout).toContain(code)
  })
})

describe('trigger', () => {
  it('sends duplicates, and what no contract has', async () => {
    await run('trigger conversation.resolved --copies 3')
    await run('trigger future')
    await mock.deliveries()
    expect(receiver.received).toHaveLength(4)
    expect(receiver.received.at(-1)?.body).toContain('future.event')
  })

  it('warns of data that contradicts the contract', async () => {
    const { code, stderr } = await run('trigger conversation.csat --data {"rating":"good"}')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Warning: .*rating/)
    expect((await run('trigger conversation.csat --data {"rating":2}')).stderr).toBe('')
  })

  it('reads data from stdin', async () => {
    const running = commands.start(['trigger', 'conversation.csat', '--data', '-', '--json'], at())
    running.child.stdin?.end('{"rating":1}')
    expect(await running.exit).toBe(0)
    expect(JSON.parse(running.stdout()).data.rating).toBe(1)
  })
})

describe('listen', () => {
  it('prints the secret that it will sign with', async () => {
    const { stdout, code } = await run('listen --print-secret')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^whsec_\S+\n$/)
    const running = commands.start(['listen', '--forward-to', receiver.url], at())
    await running.prints(stdout.trim())
    expect(await mock.deliveries()).toEqual([])
    await running.stop()
  })

  it('signs with a given secret, adds headers and prints events', async () => {
    const env = { ...at(), MY_SECRET: 'my-own-secret' }
    const options = ['--secret-env', 'MY_SECRET', '-H', 'x-tunnel: one', '--print-json']
    const running = commands.start(['listen', '--forward-to', receiver.url, ...options], env)
    await running.prints('Forwarding to')
    const event = await mock.trigger('conversation.handoff')
    await running.prints('→ 204')
    expect(running.stdout()).toContain(JSON.stringify(event))
    const forwarded = receiver.received.find(({ headers }) => headers['x-tunnel'] === 'one')
    expect(forwarded).toBeDefined()
    expect((await run('listen --print-secret')).stdout).toBe('my-own-secret\n')
    await running.stop()
  })

  it('accepts any certificate on request only, and says what is wrong with one', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    const server = createServer({ key, cert }, (request, response) => {
      request.resume().on('end', () => response.writeHead(204).end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const to = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    for (const [args, result] of [
      [[], 'self-signed'],
      [['--skip-verify'], '204'],
    ] as const) {
      const running = commands.start(['listen', '--forward-to', to, ...args], at())
      await running.prints('Forwarding to')
      await mock.trigger('conversation.handoff')
      await running.prints('→')
      expect(
        running
          .stdout()
          .split('\n')
          .find((line) => line.includes('→')),
      ).toContain(result)
      await running.stop()
      await mock.reset()
    }
    server.close()
  })

  it('needs a receiver', async () => {
    const { code, stderr } = await run('listen')
    expect(code).toBe(2)
    expect(stderr).toContain('--forward-to')
  })
})
