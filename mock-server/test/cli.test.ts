/** The command as users run it: the built program, its output and its exit codes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AUTH, TRAPS } from './support.ts'

const BIN = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const OLD_NODE = fileURLToPath(
  new URL('../../toolchains/node-20/node_modules/node/bin/node', import.meta.url),
)

interface Run {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  exit: Promise<number | null>
  /** Resolves once the standard output holds a text. */
  prints(text: string): Promise<void>
}

describe('support-chat-mock', () => {
  const running = new Set<ChildProcess>()
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cli-'))
  })
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  const run = (args: string[], node = process.execPath): Run => {
    const child = spawn(node, [BIN, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const exit = new Promise<number | null>((resolve) => {
      child.on('close', (code) => {
        running.delete(child)
        resolve(code)
      })
    })
    const prints = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const check = () => stdout.includes(text) && resolve()
        child.stdout.on('data', check)
        child.on('close', () => reject(new Error(`it ended: ${stderr}`)))
        check()
      })
    return { child, stdout: () => stdout, stderr: () => stderr, exit, prints }
  }
  const serve = async (...args: string[]) => {
    const started = run(['serve', '--port', '0', ...args])
    await started.prints('Stop with Ctrl+C')
    const url = /^Listening on (\S+)\n/.exec(started.stdout())?.[1] ?? ''
    return { ...started, url }
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'serves until %s and then ends with 0',
    async (signal) => {
      const { child, url, exit, stdout, stderr } = await serve()
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect(stdout()).toContain(`curl -H 'authorization: Bearer sk_test_demo' '${url}/v1/`)
      expect((await fetch(`${url}/v1/conversations`, { headers: AUTH })).status).toBe(200)
      child.kill(signal)
      expect(await exit).toBe(0)
      expect(stderr()).toBe('')
    },
  )

  it('lets a running request end before it stops, but no idle connection hold it up', async () => {
    const { child, url, exit } = await serve()
    const idle = connect(Number(new URL(url).port), '127.0.0.1')
    const post = request(`${url}/v1/conversations/conv_01J2Z8M3VN/messages`, {
      method: 'POST',
      headers: { ...AUTH, 'content-type': 'application/json', 'content-length': 12 },
    })
    const status = new Promise((resolve, reject) => {
      post.on('response', (response) => {
        response.resume()
        resolve([response.statusCode, response.headers.connection])
      })
      post.on('error', reject)
    })
    await new Promise<void>((resolve) => post.write('{"text":', () => resolve()))
    await fetch(`${url}/_mock/health`) // by now the server has read the beginning
    child.kill('SIGTERM')
    await expect.poll(() => fetch(url).then(Boolean, () => false)).toBe(false)
    post.end('"a"}')
    expect(await status).toEqual([201, 'close'])
    expect(await exit).toBe(0)
    idle.destroy()
  })

  it('answers a contract of your own, with or without --stateless', async () => {
    const { url, child, exit } = await serve('--contract', TRAPS, '--stateless')
    expect(await (await fetch(`${url}/v1/things/mine`)).json()).toEqual({ mine: true })
    child.kill()
    await exit
  })

  it('logs a line per request at level info, without any secret', async () => {
    const { url, child, exit, stderr } = await serve('--log-level', 'info', '--contract', TRAPS)
    await fetch(`${url}/v1/things/a?key=sk_test_query`, { method: 'DELETE' })
    await fetch(`${url}/v1/things`, { headers: { authorization: 'Bearer sk_test_header' } })
    child.kill()
    await exit
    const lines = stderr().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', method: 'DELETE', path: '/v1/things/a', status: 204 },
      { level: 'info', method: 'GET', path: '/v1/things', status: 200 },
    ])
    expect(stderr()).not.toContain('sk_test')
  })

  it('goes on serving when nobody reads its output any more', async () => {
    const { child, prints, stdout } = run(['serve', '--port', '0', '--log-level', 'info'])
    await prints('\n')
    child.stdout?.destroy()
    child.stderr?.destroy()
    const url = /^Listening on (\S+)\n/.exec(stdout())?.[1] ?? ''
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/_mock/health`)).status).toBe(200)
  })

  it('ends with 1 and both cures where the port is taken', async () => {
    const { url } = await serve()
    const { port } = new URL(url)
    const second = run(['serve', '--memory', '--port', port])
    expect(await second.exit).toBe(1)
    expect(second.stdout()).toBe('')
    expect(second.stderr()).toContain(`Port ${port} on 127.0.0.1 is taken.`)
    expect(second.stderr()).toContain('--port 0')
  })

  it('ends with 1 where the host or the contract is of no use', async () => {
    const host = run(['serve', '--stateless', '--port', '0', '--host', '192.0.2.1'])
    expect(await host.exit).toBe(1)
    expect(host.stderr()).toContain('192.0.2.1 is no address of this machine')
    const contract = run(['serve', '--contract', 'nowhere.yaml'])
    expect(await contract.exit).toBe(1)
    expect(contract.stderr()).toMatch(
      /nowhere\.yaml:1:1: .* Name a readable YAML or JSON file\.\n$/,
    )
  })

  const wrong = [
    [],
    ['brew'],
    ['serve', '--port', 'x'],
    ['serve', '--port', '70000'],
    ['serve', 'x'],
  ]
  it.each(wrong.map((args) => [args]))('ends with 2 when called with %j', async (args) => {
    const { exit, stderr, stdout } = run(args)
    expect(await exit).toBe(2)
    expect(stderr()).toContain('support-chat-mock')
    expect(stdout()).toBe('')
  })

  it('explains itself', async () => {
    const { exit, stdout } = run(['--help'])
    expect(await exit).toBe(0)
    expect(stdout()).toContain('$ support-chat-mock serve')
    for (const name of ['serve', 'listen', 'trigger', 'deliveries', 'replay']) {
      const help = run([name, '--help'])
      expect(await help.exit).toBe(0)
      expect(help.stdout()).toContain(`\n  $ support-chat-mock ${name}`)
    }
  })

  it('ends with 3 on an older Node.js and says what it needs', async () => {
    const { exit, stderr } = run(['serve'], OLD_NODE)
    expect(await exit).toBe(3)
    expect(stderr()).toMatch(/^support-chat-mock needs Node\.js 22\.13 or newer; this is 20\./)
  })
})
