/** Prism's own command as an oracle: for valid requests it and this server agree. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/services/service.ts'
import { fileOf } from '../../scripts/toolchain/packages.ts'
import { loadContract, type Operation } from '../src/contract/load.ts'
import type { MockServer } from '../src/index.ts'
import { Commands } from './command.ts'
import { DIFFERENCES } from './differences.ts'
import { AUTH } from './support.ts'

const CONTRACT = fileURLToPath(new URL('../../openapi.yaml', import.meta.url))
const PRISM = fileOf('@stoplight/prism-cli/dist/index.js')
const PATHS: Record<string, string[]> = {
  '/v1/conversations': ['', '?limit=1&status=open', '?cursor=abc&limit=100'],
  '/v1/conversations/{id}': [''],
  '/v1/analytics': [''],
}
const fill = (path: string) => path.replace('{id}', 'conv_01J2Z8M3VN')

interface Call {
  path: string
  init: { method: string; headers: Record<string, string>; body?: string }
}

/** Valid requests: every example of a body, with every preference that the contract declares. */
function calls({ method, path, prism }: Operation): Call[] {
  const bodies = (prism.request?.body?.contents ?? []).flatMap(({ mediaType, examples = [] }) =>
    examples.map((example) => ({
      headers: { 'content-type': mediaType },
      body: JSON.stringify('value' in example ? example.value : null),
    })),
  )
  const codes = prism.responses.map(({ code }) => (code === 'default' ? '418' : code))
  const preferences = prism.responses.flatMap(({ code, contents = [] }) =>
    contents.flatMap(({ examples = [] }) =>
      examples.map(({ key }) => `code=${code === 'default' ? '418' : code}, example=${key}`),
    ),
  )
  const wishes: Record<string, string>[] = [
    {},
    { accept: 'application/json' },
    { accept: 'text/html, */*;q=0.1' },
    { accept: 'application/json', prefer: 'code=401' },
    { prefer: 'respond-async' },
    ...[...codes.map((code) => `code=${code}`), ...preferences].map((prefer) => ({ prefer })),
  ]
  return (PATHS[path] ?? ['']).flatMap((query) =>
    (bodies.length > 0 ? bodies : [{ headers: {} }]).flatMap((body) =>
      wishes.map((wish) => ({
        path: fill(path) + query,
        init: { method, ...body, headers: { ...AUTH, ...body.headers, ...wish } },
      })),
    ),
  )
}

/**
 * Makes several calls at once. In sequence, each would wait for Prism's process and for this one in
 * turn, which takes much longer on a busy machine.
 */
async function inBatches(calls: readonly Call[], make: (call: Call) => Promise<void>) {
  for (let start = 0; start < calls.length; start += 32) {
    await Promise.all(calls.slice(start, start + 32).map(make))
  }
}

describe('compared with Prism', () => {
  let server: MockServer
  /** The address of a server without state. */
  let stateless: string
  let all: Call[]
  let mock: string
  let proxy: string
  const children: ChildProcess[] = []
  const commands = new Commands()

  const prism = async (command: string, ...args: string[]) => {
    const port = await freePort()
    const line = [PRISM, command, '-p', String(port), '-v', 'error', CONTRACT, ...args]
    children.push(spawn(process.execPath, line, { stdio: 'ignore' }))
    const url = `http://127.0.0.1:${port}`
    await vi.waitFor(
      async () => expect((await fetch(`${url}/v1/analytics`, { headers: AUTH })).status).toBe(200),
      { timeout: 120_000, interval: 50 },
    )
    return url
  }

  beforeAll(async () => {
    // The built package, since the build leaves out parts of Prism.
    const built = new URL('../dist/index.js', import.meta.url).href
    server = await (await import(built)).createMockServer()
    stateless = (await commands.serve(['--stateless'])).url
    all = (await loadContract(CONTRACT, '')).operations.flatMap(calls)
    const started = [prism('mock'), prism('proxy', server.url, '--errors')]
    ;[mock = '', proxy = ''] = await Promise.all(started)
  })
  afterAll(async () => {
    for (const child of children) child.kill()
    commands.close()
    await server.close()
  })

  it('returns the same status, media type and body for every valid request', async () => {
    expect(all.length).toBeGreaterThan(200)
    const used = new Set<string>()
    await inBatches(all, async ({ path, init }) => {
      const [ours, theirs] = await Promise.all(
        [stateless, mock].map(async (base) => {
          const response = await fetch(base + path, init)
          const type = response.headers.get('content-type') ?? ''
          const plain = { status: response.status, type, body: await response.json() }
          const differences = DIFFERENCES.filter(({ of }) => of(plain, init.headers))
          for (const { why } of differences) used.add(why)
          return differences.reduce((value, { level }) => level(value), plain)
        }),
      )
      expect(ours, `${init.method} ${path} ${JSON.stringify(init.headers)}`).toEqual(theirs)
    })
    // A difference that no longer occurs must leave the list.
    expect([...used].sort()).toEqual(DIFFERENCES.map(({ why }) => why).sort())
  })

  it('sends nothing that Prism’s proxy reports as a violation of the contract', async () => {
    await inBatches(all, async ({ path, init }) => {
      const response = await fetch(proxy + path, init)
      const violations = response.headers.get('sl-violations')
      const direct = await fetch(server.url + path, init)
      expect([response.status, violations], `${init.method} ${path}`).toEqual([direct.status, null])
      await Promise.all([response.arrayBuffer(), direct.arrayBuffer()])
    })
  })
})
