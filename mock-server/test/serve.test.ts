/** The data that a mock server keeps, how it stops, and which clients it accepts. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands, control, settled } from './command.ts'
import { OTHER } from './kinds.ts'
import { receiver as startReceiver } from './receiver.ts'
import { AUTH } from './support.ts'

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(() => commands.close())

const total = async (url: string) => {
  const response = await fetch(`${url}/v1/analytics`, { headers: AUTH })
  return (await response.json()).conversation_volume
}

describe('serve', () => {
  it('keeps its data in a folder, for the next start', async () => {
    const first = await commands.serve(['--empty'])
    await control(first.url, 'conversations', { text: 'Hello' })
    expect(await first.stop()).toBe(0)
    expect(existsSync(join(commands.folder, '.support-chat-mock'))).toBe(true)
    const second = await commands.serve()
    expect(await total(second.url)).toBe(1)
  })

  it('refuses a folder that is in use and names both cures', async () => {
    await commands.serve(['--data-dir', 'data'])
    const second = await commands.run(['serve', '--port', '0', '--data-dir', 'data'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/ is in use by another mock server\..*--data-dir.*--memory/)
  })

  it('leaves nothing behind with --memory or --stateless', async () => {
    const memory = await commands.serve(['--memory'])
    expect(await (await control(memory.url, 'health')).json()).toEqual({
      status: 'ok',
      store: 'ok',
    })
    await memory.stop()
    const stateless = await commands.serve(['--stateless'])
    const health = await control(stateless.url, 'health')
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', store: 'none' }])
    expect((await control(stateless.url, 'trigger', {})).status).toBe(404)
    await stateless.stop()
    expect(existsSync(join(commands.folder, '.support-chat-mock'))).toBe(false)
  })

  it('starts with the data of a seed, and locates errors in it', async () => {
    writeFileSync(join(commands.folder, 'seed.json'), '{"conversations":[]}')
    const { url } = await commands.serve(['--memory', '--seed', 'seed.json'])
    expect(await total(url)).toBe(0)
    writeFileSync(join(commands.folder, 'wrong.yaml'), 'conversations:\n  - id: 7\n')
    const wrong = await commands.run(['serve', '--memory', '--port', '0', '--seed', 'wrong.yaml'])
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/^wrong\.yaml:2:\d+: /)
  })

  it('says that an existing sandbox keeps its data until it is reset', async () => {
    const first = await commands.serve(['--data-dir', 'kept'])
    expect(await total(first.url)).toBe(3)
    await first.stop()
    const { url, stderr } = await commands.serve(['--data-dir', 'kept', '--empty'])
    expect(stderr()).toContain('existing sandboxes keep their data')
    expect(await total(url)).toBe(3)
    await control(url, 'reset', {})
    expect(await total(url)).toBe(0)
  })

  it.each([
    [['--memory', '--stateless']],
    [['--empty', '--seed', 'a.yaml']],
    [['--time-scale', '-1']],
    [['--retention', 'long']],
    [['--attempt-timeout', '0']],
    [['--durability', 'none']],
    [['--signature-encoding', 'HEX']],
    [['--control-token-env', 'NOT_SET']],
  ])('ends with 2 when called with %j', async (args) => {
    const { code, stdout, stderr } = await commands.run(['serve', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/--\w/)
  })

  it.each([
    ['--role', 'worker'],
    ['--limit', 'endpoints=3'],
    ['--idle', '30'],
    ['--trust-proxy', '10.0.0.0/8'],
  ])('refuses %s without --hosted, which it would ignore', async (name, value) => {
    const args = ['serve', '--memory', '--port', '0', name, value]
    const { code, stdout, stderr } = await commands.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`${name} means nothing without --hosted.`)
  })

  it('needs a token where other machines can reach it', async () => {
    const args = ['--host', '0.0.0.0', '--memory']
    const without = await commands.run(['serve', '--port', '0', ...args])
    expect(without).toMatchObject({ code: 2, stdout: '' })
    expect(without.stderr).toContain('--control-token-env NAME')

    const env = { TOKEN: 'a-long-random-token' }
    const { url, stdout } = await commands.serve([...args, '--control-token-env', 'TOKEN'], env)
    expect((await control(url, 'endpoints')).status).toBe(401)
    expect((await control(url, 'health')).status).toBe(200)
    const refused = await commands.run(['deliveries', '--url', url])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('--control-token-env')
    const named = ['deliveries', '--url', url, '--control-token-env', 'TOKEN']
    expect(await commands.json(named, env)).toEqual([])
    expect(stdout()).not.toContain(env.TOKEN)
  })

  it.each([
    [[], [], 'succeeded'],
    [['--no-allow-private-webhooks'], [], 'dead'],
    [
      ['--host', '0.0.0.0', '--control-token-env', 'TOKEN'],
      ['--control-token-env', 'TOKEN'],
      'dead',
    ],
    [
      ['--host', '0.0.0.0', '--control-token-env', 'TOKEN', '--allow-private-webhooks'],
      ['--control-token-env', 'TOKEN'],
      'succeeded',
    ],
  ])('started with %j may or may not send to this machine', async (args, client, state) => {
    const env = { TOKEN: 'a-long-random-token' }
    const receiver = await startReceiver()
    const { url } = await commands.serve(['--memory', ...args], env)
    const post = (path: string, body: object) =>
      fetch(`${url}/_mock/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-mock-token': env.TOKEN },
        body: JSON.stringify(body),
      })
    await post('endpoints', { url: receiver.url })
    const options = ['--url', url, ...client]
    await commands.json(['trigger', 'conversation.created', ...options], env)
    // Returns when the due deliveries have been attempted.
    await post('clock', { advance: 'PT0S' })
    expect(await commands.json(['deliveries', ...options], env)).toMatchObject([{ state }])
    await receiver.close()
  })

  it('uses the given encoding and time scale', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(503).end())
    const args = ['--memory', '--signature-encoding', 'base64', '--time-scale', '0.000001']
    const { url } = await commands.serve(args)
    await control(url, 'endpoints', { url: receiver.url, secret: 'whsec_a' })
    await control(url, 'trigger', { kind: OTHER })
    await receiver.until(5)
    await settled(url)
    const { data } = await (await control(url, 'deliveries')).json()
    expect(data[0].attempts).toHaveLength(5)
    for (const { body, headers } of receiver.received) {
      const digest = createHmac('sha256', 'whsec_a').update(body).digest('base64')
      expect(headers['x-service-signature']).toBe(`sha256=${digest}`)
    }
    await receiver.close()
  })

  it('waits for a running attempt before it stops', async () => {
    let respond = () => {}
    const slow = await startReceiver((response) => {
      respond = () => void response.writeHead(204).end()
    })
    const first = await commands.serve()
    await control(first.url, 'endpoints', { url: slow.url })
    await control(first.url, 'trigger', { kind: 'conversation.created' })
    await slow.until(1)
    first.child.kill('SIGTERM')
    await expect.poll(() => fetch(first.url).then(Boolean, () => false)).toBe(false)
    respond()
    expect(await first.exit).toBe(0)
    await slow.close()
    const second = await commands.serve()
    const { data } = await (await control(second.url, 'deliveries')).json()
    expect(data).toMatchObject([{ state: 'succeeded', attempts: [{ status: 204 }] }])
  })

  it('waits for a running request before it stops at the end of stdin', async () => {
    const { url, child, exit } = await commands.serve(['--memory', '--stop-with-stdin'])
    const request = httpRequest(`${url}/_mock/trigger`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', expect: '100-continue' },
    })
    request.flushHeaders()
    await once(request, 'continue')
    child.stdin?.end()
    await expect.poll(() => fetch(url).then(Boolean, () => false)).toBe(false)
    request.end('{"kind":"conversation.created"}')
    const [response] = await once(request, 'response')
    expect(response.statusCode).toBe(201)
    response.resume()
    expect(await exit).toBe(0)
  })

  it('keeps running after the end of stdin by default', async () => {
    const { url, child, stop } = await commands.serve(['--memory'])
    child.stdin?.end()
    // The end of stdin has been handled by the first response. The second one needs a new connection.
    for (const _ of [1, 2]) {
      const response = await fetch(`${url}/_mock/health`, { headers: { connection: 'close' } })
      expect(response.status).toBe(200)
    }
    expect(await stop()).toBe(0)
  })

  it('ends at once at the second signal', async () => {
    const hanging = await startReceiver(() => {})
    const { url, child, exit } = await commands.serve(['--memory'])
    await control(url, 'endpoints', { url: hanging.url })
    await control(url, 'trigger', { kind: 'conversation.created' })
    await hanging.until(1)
    child.kill('SIGTERM')
    await expect.poll(() => fetch(url).then(Boolean, () => false)).toBe(false)
    child.kill('SIGTERM')
    expect(await exit).toBeNull()
    expect(child.signalCode).toBe('SIGTERM')
    await hanging.close()
  })
})
