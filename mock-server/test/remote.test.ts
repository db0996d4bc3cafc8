/** `serve --contract URL`: what is fetched, and what is not. */
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ContractError, loadCheckedContract, problemsOf } from '../src/contract/check.ts'
import { Commands } from './command.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Serves texts by their paths; a text that begins with `/` or `http` is a redirect. */
async function host(texts: Record<string, string>): Promise<string> {
  const listener: RequestListener = ({ url = '' }, response) => {
    const text = texts[url.replace(/\?.*/, '')]
    if (text === undefined) response.writeHead(404).end()
    else if (/^(?:\/|http)/.test(text)) response.writeHead(302, { location: text }).end()
    else response.end(text)
  }
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const document = (ref: string) => `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'https://example.com' }]
paths:
  /items: { get: { operationId: list, responses: { '200': { $ref: '${ref}' } } } }
  /plain: { get: { operationId: plain, responses: { '204': { description: Done. } } } }
`
const ITEMS = `description: Items.
content: { application/json: { schema: { type: array, items: { type: string } }, example: [Tea] } }
`
const refusal = async (url: string) => {
  const error = await loadCheckedContract(url, { isStrict: false }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ContractError)
  return (error as ContractError).message
}

describe('a contract from a URL', () => {
  it('is served with what it refers to on the same origin', async () => {
    const origin = await host({
      '/moved': '/v1/openapi.yaml',
      '/v1/openapi.yaml': document('/parts/items.yaml'),
      '/parts/items.yaml': ITEMS,
    })
    const commands = new Commands()
    const run = await commands.serve(['--contract', `${origin}/moved?token=secret`, '--stateless'])
    expect(await (await fetch(`${run.url}/items`)).json()).toEqual(['Tea'])
    expect(run.stderr()).not.toContain('secret')
    commands.close()
  })

  it.each([
    ['another origin', 'OTHER/items.yaml'],
    ['another origin, by a redirect', '/away.yaml'],
    ['a file', 'file:///etc/hostname'],
  ])('is served without references to %s', async (_, ref) => {
    let isAsked = false
    const other = createServer((_, response) => {
      isAsked = true
      response.end(ITEMS)
    }).listen(0, '127.0.0.1')
    servers.push(other)
    await new Promise((resolve) => other.once('listening', resolve))
    const away = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const origin = await host({
      '/openapi.yaml': document(ref.replace('OTHER', away)),
      '/away.yaml': `${away}/items.yaml`,
    })
    const { operations } = await loadCheckedContract(`${origin}/openapi.yaml`, { isStrict: false })
    const [items, plain] = operations
    expect(items?.lost?.['200']).toContain('leads nowhere')
    expect(plain?.lost).toEqual({})
    expect(await problemsOf(`${origin}/openapi.yaml`)).not.toEqual([])
    expect(isAsked).toBe(false)
  })

  it('is refused if it is missing, too far or too large', async () => {
    const origin = await host({
      '/loop': '/loop',
      '/large': `${document('#/x')}# ${'x'.repeat(21 * 2 ** 20)}`,
    })
    expect(await refusal(`${origin}/none`)).toMatch(/status 404\. Name another URL, or a file\.$/)
    expect(await refusal(`${origin}/loop`)).toContain('more than 5 redirects')
    expect(await refusal(`${origin}/large`)).toContain('bytes')
    expect(await refusal(origin.replace('//', '//user:secret@'))).not.toContain('secret')
    expect(await refusal('http://127.0.0.1:1/')).toContain('cannot be reached')
  })

  it('cannot be watched', async () => {
    const commands = new Commands()
    const { code, stderr } = await commands.run(['serve', '--contract', 'http://a/', '--watch'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^--watch follows files only\./m)
    commands.close()
  })
})

describe('a contract from a file', () => {
  it('is served without references to URLs', async () => {
    const origin = await host({ '/items.yaml': ITEMS })
    const commands = new Commands()
    const file = join(commands.folder, 'openapi.yaml')
    writeFileSync(file, document(`${origin}/items.yaml`))
    const { operations } = await loadCheckedContract(file, { isStrict: false })
    expect(operations[0]?.lost?.['200']).toContain('leads nowhere')
    commands.close()
  })
})
