/** How the server starts and ends, and whom it refuses. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, describe, expect, it } from 'vitest'
import { Commands } from '../command.ts'
import { agent, connected } from './clients.ts'

const commands = new Commands()
afterAll(() => commands.close())

const LIVE = { SUPPORT_CHAT_API_KEY: 'sk_live_3hV0c1p2Jt6bqX8d' }
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
const HELLO = line({
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a', version: '1' },
  },
})

describe('over stdio', () => {
  it('writes the protocol alone to stdout, responds to all requests and ends with stdin', async () => {
    const run = commands.start(['mcp'])
    run.child.stdin?.end(
      HELLO + line({ id: 2, method: 'tools/call', params: { name: 'sandbox_settled' } }),
    )
    expect(await run.exit).toBe(0)
    const messages = run
      .stdout()
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect(messages.map(({ id }) => id)).toEqual([1, 2])
    expect(run.stderr()).toMatch(/^The sandbox is at http:\/\/127\.0\.0\.1:\d+\.\n$/)
  })

  it('ends at once for SIGTERM', async () => {
    const run = commands.start(['mcp'])
    run.child.stdin?.write(HELLO)
    await run.prints('"id":1')
    expect(await run.stop()).toBe(0)
  })

  it('uses a running mock server, with its key', async () => {
    const { url } = await commands.serve(['--memory'])
    const key = 'sk_test_of_an_agent'
    const mcp = await agent(['--url', url, '--key-env', 'KEY'], { KEY: key })
    const { id } = await mcp.call('sandbox_createConversation', { body: { text: 'Hello' } })
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${url}/v1/conversations/${id}`, { headers })).status).toBe(200)
    const other = { authorization: 'Bearer sk_test_other' }
    expect((await fetch(`${url}/v1/conversations/${id}`, { headers: other })).status).toBe(404)
    await mcp.close()
  })
})

const TYPES: Record<number, string> = { 200: 'application/json' }

describe('it refuses', () => {
  it.each([
    ['for its own sandbox', []],
    ['for a running server', ['--url', 'http://127.0.0.1:1']],
  ])('a live key %s, and does not repeat it', async (_, args) => {
    const { code, stdout, stderr } = await commands.run(['mcp', ...args], LIVE)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Never send a live key to a mock server.')
    expect(stderr).not.toContain(LIVE.SUPPORT_CHAT_API_KEY)
  })

  it.each([404, 200, 302])(
    'a server that is no mock and returns %i, before it sees a key',
    async (status) => {
      const keys: unknown[] = []
      const server = createServer(({ headers }, response) => {
        keys.push(headers.authorization)
        response
          .writeHead(status, {
            'content-type': TYPES[status] ?? 'text/html',
            location: '/elsewhere',
          })
          .end('{}')
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { code, stderr } = await commands.run(['mcp', '--url', url])
      server.close()
      expect({ code, keys }).toEqual({ code: 1, keys: [undefined] })
      expect(stderr).toContain('is not a mock server')
    },
  )

  it('options that contradict each other', async () => {
    const { code, stderr } = await commands.run([
      'mcp',
      '--url',
      'http://127.0.0.1:1',
      '--port',
      '0',
    ])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Remove them or --url.'),
    })
  })
})

describe('over HTTP', () => {
  async function serve() {
    const run = commands.start(['mcp', '--http', '0'])
    await run.prints('The sandbox is at')
    return { ...run, url: /^Listening on (\S+)\n/.exec(run.stdout())?.[1] ?? '' }
  }

  it('listens on this machine, and serves the same tools', async () => {
    const { url, stop } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    const mcp = await connected(new StreamableHTTPClientTransport(new URL(url)) as never)
    const stdio = await agent()
    expect(await mcp.client.listTools()).toEqual(await stdio.client.listTools())
    expect(await mcp.call('getAnalytics')).toMatchObject({ isError: false, status: 200 })
    await Promise.all([mcp.close(), stdio.close()])
    expect(await stop()).toBe(0)
  })

  it('refuses other pages, other hosts, other paths and streams', async () => {
    const { url, stop } = await serve()
    const post = (headers: Record<string, string>, path = '/mcp', method = 'POST') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(new URL(path, url), { method, headers: { ...JSON_RPC, ...headers } })
        sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
        sent.end(method === 'POST' ? HELLO : undefined)
      })
    expect(await post({})).toBe(200)
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    expect(await post({ host: 'rebound.example' })).toBe(403)
    expect(await post({}, '/')).toBe(404)
    expect(await post({}, '/mcp', 'GET')).toBe(405)
    expect(await stop()).toBe(0)
  })

  const JSON_RPC = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
})
