/** `listen`: events reach a local URL, even if the mock server restarts or the connection to it is lost. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands, control, settled } from './command.ts'
import { KIND, OTHER } from './kinds.ts'
import { receiver as startReceiver } from './receiver.ts'

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(() => commands.close())

const SECRET = /^Signing secret: (whsec_\S+)\n/

async function listenTo(url: string, forwardTo: string, ...args: string[]) {
  const run = commands.start(['listen', '--url', url, '--forward-to', forwardTo, ...args])
  await run.prints('whsec_')
  return { ...run, secret: SECRET.exec(run.stdout())?.[1] ?? '' }
}

/** Polls for as long as the test may take. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await immediate()
}

const deliveries = async (url: string) => (await (await control(url, 'deliveries')).json()).data

/** A proxy to a port whose connections can be cut. */
async function bridgeTo(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}

describe('listen', () => {
  it('forwards the exact bytes and headers and prints a line for each', async () => {
    const { url } = await commands.serve(['--memory'])
    const receiver = await startReceiver()
    const { secret, stdout, prints, stop } = await listenTo(url, receiver.url)
    const data = { reason: 'Ünïcödé \\u0000 ✓' }
    const event = await (
      await control(url, 'trigger', { kind: 'conversation.handoff', data })
    ).text()
    await receiver.until(1)
    const [received] = receiver.received
    expect(received?.body).toBe(event)
    const digest = createHmac('sha256', secret).update(event).digest('hex')
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'support-chat-mock',
      'x-service-event': 'conversation.handoff',
      'x-service-signature': `sha256=${digest}`,
    })
    await prints('→')
    const line = `\\d\\d:\\d\\d:\\d\\d conversation\\.handoff ${JSON.parse(event).id} → 204 \\(\\d+ ms\\)\n$`
    expect(stdout()).toMatch(new RegExp(line))
    await settled(url)
    expect(await deliveries(url)).toMatchObject([
      { state: 'succeeded', attempts: [{ status: 204, reason: null }] },
    ])
    expect(await stop()).toBe(0)
    await receiver.close()
  })

  it('counts the response of the receiver as the attempt: retries, dead letters, replay', async () => {
    const { url } = await commands.serve(['--memory', '--time-scale', '0.000001'])
    let status = 500
    const receiver = await startReceiver((response) => void response.writeHead(status).end('no'))
    await listenTo(url, receiver.url)
    await control(url, 'trigger', { kind: KIND })
    await receiver.until(5)
    await settled(url)
    const [{ id, attempts, state }] = await deliveries(url)
    expect(state).toBe('dead')
    expect(attempts.map((attempt: object) => ({ ...attempt, at: 0, headers: {} }))).toEqual(
      Array(5).fill({
        at: 0,
        duration_ms: null,
        status: 500,
        reason: '500: the receiver failed',
        headers: {},
        body: 'no',
      }),
    )
    status = 200
    await control(url, `deliveries/${id}/replay`, {})
    await settled(url)
    const [replayed] = await deliveries(url)
    expect([replayed.state, replayed.attempts.length]).toEqual(['succeeded', 6])
    await receiver.close()
  })

  it('retries its deliveries when the clock is advanced', async () => {
    const { url } = await commands.serve(['--memory'])
    const receiver = await startReceiver((response) => void response.writeHead(503).end())
    await listenTo(url, receiver.url)
    await control(url, 'trigger', { kind: KIND })
    await receiver.until(1)
    await control(url, 'clock', { advance: 'PT24H' })
    expect(receiver.received).toHaveLength(5)
    expect(await deliveries(url)).toMatchObject([{ state: 'dead' }])
    await receiver.close()
  })

  it('keeps deliveries while no consumer polls, with the same secret and only for its kinds', async () => {
    const { url } = await commands.serve(['--memory'])
    const receiver = await startReceiver()
    const first = await listenTo(url, receiver.url)
    expect(await first.stop()).toBe(0)
    await control(url, 'trigger', { kind: 'conversation.created' })
    await control(url, 'trigger', { kind: KIND })
    expect(receiver.received).toHaveLength(0)
    expect(await deliveries(url)).toMatchObject([
      { state: 'pending', attempts: [] },
      { state: 'pending', attempts: [] },
    ])
    const second = await listenTo(url, receiver.url, '--events', KIND)
    expect(second.secret).toBe(first.secret)
    await receiver.until(2)
    await control(url, 'trigger', { kind: 'conversation.created' })
    await control(url, 'trigger', { kind: KIND })
    await receiver.until(3)
    await settled(url)
    expect(await deliveries(url)).toMatchObject(Array(3).fill({ state: 'succeeded' }))
    await receiver.close()
  })

  it('says what to do where another command receives other kinds at the same URL', async () => {
    const { url } = await commands.serve(['--memory'])
    const receiver = await startReceiver()
    const first = await listenTo(url, receiver.url, '--events', KIND)
    const args = ['listen', '--url', url, '--forward-to', receiver.url]
    expect(await commands.run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another program listens for ${receiver.url} and receives ${KIND}. Stop it, or use the same kinds.\n`,
    })
    await first.stop()
    await listenTo(url, receiver.url)
    await receiver.close()
  })

  it('continues after a reset, and keeps its secret after a restart without data', async () => {
    const { url, stop } = await commands.serve(['--memory'])
    const { port } = new URL(url)
    const receiver = await startReceiver()
    const { stdout, stderr, prints, secret } = await listenTo(url, receiver.url)
    await control(url, 'reset', {})
    await control(url, 'trigger', { kind: 'conversation.created' })
    await receiver.until(1)
    expect(stdout().match(/Signing secret/g)).toHaveLength(1)
    await stop()
    await commands.serve(['--memory', '--port', port])
    await until(async () => (await (await control(url, 'endpoints')).json()).data.length > 0)
    await control(url, 'trigger', { kind: OTHER })
    await prints(OTHER)
    expect(stdout().split('whsec_')).toHaveLength(2)
    const { body = '', headers } = receiver.received.at(-1) ?? {}
    const digest = createHmac('sha256', secret).update(body).digest('hex')
    expect(headers?.['x-service-signature']).toBe(`sha256=${digest}`)
    // More than once where a connection of the old server is still in use.
    const again = `Lost the connection to ${url}. Reconnecting.\nReconnected to ${url}.\n`
    expect(stderr()).toContain(again)
    expect(stderr().replaceAll(again, '')).toBe('')
    await receiver.close()
  })

  it('continues after its listener was removed, with the same secret', async () => {
    const { url } = await commands.serve(['--memory'])
    const receiver = await startReceiver()
    const { stdout, stderr } = await listenTo(url, receiver.url)
    const [listener] = (await (await control(url, 'endpoints')).json()).data
    const path = `${url}/_mock/endpoints/${listener.id}`
    expect((await fetch(path, { method: 'DELETE' })).status).toBe(204)
    // Only the next poll of the command registers it again.
    const endpoints = async () => (await (await control(url, 'endpoints')).json()).data
    await until(async () => (await endpoints()).length === 1)
    expect(await endpoints()).toEqual([listener])
    await control(url, 'trigger', { kind: 'conversation.created' })
    await receiver.until(1)
    expect(stdout().match(/Signing secret/g)).toHaveLength(1)
    expect(stderr()).toBe('')
    await receiver.close()
  })

  it('says how to start a mock server where none is running', async () => {
    const { url, close } = await startReceiver()
    await close()
    const args = ['listen', '--url', url, '--forward-to', url]
    const { code, stdout, stderr } = await commands.run(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Start one with `support-chat-mock serve`')
  })

  it('loses nothing while the connection is cut and the mock server is killed and started', async () => {
    const TOTAL = 200
    let server = await commands.serve()
    const { port } = new URL(server.url)
    const bridge = await bridgeTo(Number(port))
    const seen = new Map<string, number>()
    let onReceived = () => {}
    const receiver = await startReceiver((response, { body }) => {
      const { id } = JSON.parse(body)
      seen.set(id, (seen.get(id) ?? 0) + 1)
      onReceived()
      response.writeHead(204).end()
    })
    const listening = await listenTo(bridge.url, receiver.url)

    const acknowledged: string[] = []
    for (let turn = 0; turn < TOTAL; turn++) {
      const response = await control(server.url, 'trigger', { kind: 'conversation.created' })
      acknowledged.push((await response.json()).id)
      if (Math.random() < 0.1) bridge.cut()
      if (turn % 70 !== 69) continue
      server.child.kill(turn > 100 ? 'SIGKILL' : 'SIGTERM')
      await server.exit
      server = await commands.serve(['--port', port])
    }
    bridge.cut()
    await new Promise<void>((resolve) => {
      onReceived = () => {
        if (acknowledged.every((id) => seen.has(id))) resolve()
      }
      onReceived()
    })
    await until(async () => `${states(await deliveries(server.url))}` === 'succeeded')
    for (const { body, headers } of receiver.received) {
      const digest = createHmac('sha256', listening.secret).update(body).digest('hex')
      expect(headers['x-service-signature']).toBe(`sha256=${digest}`)
    }
    bridge.close()
    await receiver.close()
  })
})

function states(all: Array<{ state: string }>): string[] {
  return [...new Set(all.map(({ state }) => state))]
}
