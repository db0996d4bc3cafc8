/** What programs read: JSON of every command, failures included, and the lines of a server that starts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Commands, control } from './command.ts'

/** A contract with an example that its schema refuses. */
const FLAWED = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '7' },
  paths: {
    '/things': {
      get: {
        responses: {
          200: {
            description: 'The number of things.',
            content: {
              'application/json': { schema: { type: 'integer', maximum: 9 }, example: 'many' },
            },
          },
        },
      },
    },
  },
}

let commands: Commands
beforeAll(() => {
  commands = new Commands()
})
afterAll(() => commands.close())

/** What may follow some words. */
async function next(...words: string[]): Promise<string[]> {
  const { stdout } = await commands.run(['complete', '--', ...words])
  return stdout.split('\n').flatMap((line) => line.split('\t')[0] || [])
}

/** All commands with their own commands, as the program itself lists them. */
async function all(): Promise<string[][]> {
  const found: string[][] = []
  for (const name of await next('')) {
    found.push([name])
    for (const inner of await next(name, '')) found.push([name, inner])
  }
  return found.filter((path) => !path.includes('help'))
}

describe('--json', () => {
  it('makes every command report wrong usage and an absent server as JSON', async () => {
    const known = await all()
    expect(known.length).toBeGreaterThan(20)
    for (const path of known) {
      const wrong = await commands.run([...path, '--json', '--no-such-option'])
      check(path, wrong)
      const options = await next(...path, '--')
      if (!options.includes('--url')) continue
      check(path, await commands.run([...path, 'x', '--url', 'http://127.0.0.1:1', '--json']))
    }
  })

  function check(path: string[], { code, stdout, stderr }: Awaited<ReturnType<Commands['run']>>) {
    expect([path, stdout, stderr.trim().split('\n').length]).toEqual([path, '', 1])
    expect(code, path.join(' ')).toBeGreaterThan(0)
    expect(JSON.parse(stderr).error.message, path.join(' ')).toMatch(/\w/)
  }
})

describe('serve --json', () => {
  it('says where it listens, with which key and contract, in one line', async () => {
    const run = commands.start(['serve', '--port', '0', '--memory', '--json'])
    await run.prints('"listening"')
    const { url, port, contracts, ...others } = JSON.parse(run.stdout())
    expect(others).toEqual({ event: 'listening', key: 'sk_test_demo', data: null })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(contracts).toEqual([
      {
        name: expect.any(String),
        title: expect.any(String),
        version: expect.any(String),
        file: null,
      },
    ])
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200)
    expect(await run.stop()).toBe(0)
  })

  it('has a line for each warning, and no key without a sandbox', async () => {
    const file = join(commands.folder, 'api.json')
    writeFileSync(file, JSON.stringify(FLAWED))
    const args = ['--contract', file, '--stateless']
    const run = commands.start(['serve', '--port', '0', '--json', ...args])
    await run.prints('"warning"')
    const [first, warning] = run
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first).toMatchObject({ key: null, data: null, contracts: [{ version: '7', file }] })
    expect(warning).toEqual({ event: 'warning', message: expect.stringContaining('integer') })
    expect(await run.stop()).toBe(0)
  })

  it('fails as JSON where it cannot start', async () => {
    const missing = await commands.run([
      'serve',
      '--port',
      '0',
      '--json',
      '--contract',
      'none.yaml',
    ])
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(missing.stderr).error.message).toContain('none.yaml')
  })
})

describe('colours', () => {
  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('with %j in a pipe: %s', async (env, isColoured) => {
    const server = await commands.serve(['--memory'])
    await control(server.url, 'endpoints', { url: 'http://127.0.0.1:1/' })
    const { NO_COLOR = '', FORCE_COLOR = '' }: Record<string, string> = env
    const { stdout } = await commands.run(['endpoints'], {
      SUPPORT_CHAT_BASE_URL: server.url,
      ...(NO_COLOR && { NO_COLOR }),
      ...(FORCE_COLOR && { FORCE_COLOR }),
    })
    expect(stdout.includes(String.fromCharCode(27))).toBe(isColoured)
    await server.stop()
  })
})
