/** The command as users run it: the built program, its output and its exit codes. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeOf } from '../../scripts/toolchain/packages.ts'
import { Commands } from './command.ts'
import { AUTH, TRAPS } from './support.ts'

const OLD_NODE = nodeOf(20)

describe('support-chat-mock', () => {
  let commands: Commands
  beforeEach(() => {
    commands = new Commands()
  })
  afterEach(() => commands.close())

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'serves until %s and then ends with 0',
    async (signal) => {
      const { child, url, exit, stdout, stderr } = await commands.serve()
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect(stdout()).toContain(`curl -H 'authorization: Bearer sk_test_demo' '${url}/v1/`)
      expect((await fetch(`${url}/v1/conversations`, { headers: AUTH })).status).toBe(200)
      child.kill(signal)
      expect(await exit).toBe(0)
      expect(stderr()).toBe('')
    },
  )

  it('waits for a running request before it stops, but not for an idle connection', async () => {
    const { child, url, exit } = await commands.serve()
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

  it('serves your own contract, with or without --stateless', async () => {
    const { url } = await commands.serve(['--contract', TRAPS, '--stateless'])
    expect(await (await fetch(`${url}/v1/things/mine`)).json()).toEqual({ mine: true })
  })

  it('logs a line per request at level info, without any secret', async () => {
    const args = ['--log-level', 'info', '--contract', TRAPS]
    const { url, stop, stderr } = await commands.serve(args)
    await fetch(`${url}/v1/things/a?key=sk_test_query`, { method: 'DELETE' })
    await fetch(`${url}/v1/things`, { headers: { authorization: 'Bearer sk_test_header' } })
    await stop()
    const lines = stderr().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', method: 'DELETE', path: '/v1/things/a', status: 204 },
      { level: 'info', method: 'GET', path: '/v1/things', status: 200 },
    ])
    expect(stderr()).not.toContain('sk_test')
  })

  it('keeps serving when its output is no longer read', async () => {
    const args = ['serve', '--port', '0', '--log-level', 'info']
    const { child, prints, stdout } = commands.start(args)
    await prints('\n')
    child.stdout?.destroy()
    child.stderr?.destroy()
    const url = /^Listening on (\S+)\n/.exec(stdout())?.[1] ?? ''
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/_mock/health`)).status).toBe(200)
  })

  it('ends with 1 and both cures where the port is taken', async () => {
    const { url } = await commands.serve()
    const { port } = new URL(url)
    const second = await commands.run(['serve', '--memory', '--port', port])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(`Port ${port} on 127.0.0.1 is already in use.`)
    expect(second.stderr).toContain('--port 0')
  })

  it('ends with 1 where the host or the contract is invalid', async () => {
    const elsewhere = ['--port', '0', '--host', '192.0.2.1']
    const host = await commands.run(['serve', '--stateless', ...elsewhere])
    expect(host.code).toBe(1)
    expect(host.stderr).toContain('192.0.2.1 is not an address of this machine')
    const contract = await commands.run(['serve', '--contract', 'nowhere.yaml'])
    expect(contract.code).toBe(1)
    expect(contract.stderr).toMatch(/nowhere\.yaml:1:1: .* Name a readable YAML or JSON file\.\n$/)
  })

  const wrong = [
    [],
    ['brew'],
    ['serve', '--port', 'x'],
    ['serve', '--port', '70000'],
    ['serve', 'x'],
  ]
  it.each(wrong.map((args) => [args]))('ends with 2 when called with %j', async (args) => {
    const { code, stdout, stderr } = await commands.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('support-chat-mock')
  })

  it('has a help text', async () => {
    const { code, stdout } = await commands.run(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('$ support-chat-mock serve')
    for (const name of ['serve', 'listen', 'trigger', 'deliveries', 'replay']) {
      const help = await commands.run([name, '--help'])
      expect(help.code).toBe(0)
      expect(help.stdout).toContain(`\n  $ support-chat-mock ${name}`)
    }
  })

  it('ends with 3 on an older Node.js and names the version that it needs', async () => {
    const { exit, stderr } = commands.start(['serve'], {}, OLD_NODE)
    expect(await exit).toBe(3)
    expect(stderr()).toMatch(/^support-chat-mock needs Node\.js 22\.13 or newer; this is 20\./)
  })
})
