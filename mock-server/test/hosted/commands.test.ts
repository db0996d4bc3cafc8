// The commands of a hosted server, as its operator runs them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands } from '../command.ts'
import { databaseUrl, Schema } from '../postgres.ts'
import { ADMIN_TOKEN } from './hosted.ts'

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(async () => {
  commands.close()
  await new Schema('mock_server').drop()
})

const SETTINGS = {
  DATABASE_URL: databaseUrl(),
  SUPPORT_CHAT_MOCK_ADMIN_TOKEN: ADMIN_TOKEN,
  SUPPORT_CHAT_MOCK_PUBLIC_URL: 'http://sandbox.test',
}
const hosted = (args: string[] = [], env = {}) =>
  commands.serve(['--hosted', ...args], { ...SETTINGS, ...env })
const refused = async (env: Record<string, string>, args: string[] = []) => {
  const run = await commands.run(['serve', '--port', '0', '--hosted', ...args], {
    ...SETTINGS,
    ...env,
  })
  expect(run.stdout).toBe('')
  return [run.code, run.stderr]
}

describe('serve --hosted', () => {
  it('says in a sentence which setting is missing or wrong', async () => {
    expect(await refused({ SUPPORT_CHAT_MOCK_ADMIN_TOKEN: '' })).toEqual([
      1,
      '--hosted needs SUPPORT_CHAT_MOCK_ADMIN_TOKEN: a long random text that allows to issue keys.\n',
    ])
    const [code, said] = await refused({ DATABASE_URL: 'postgresql://ada:s3cret@127.0.0.1:1/mock' })
    expect([code, said]).toEqual([
      1,
      'PostgreSQL at 127.0.0.1:1 cannot be reached. Start it, or check the URL of the database.\n',
    ])
  })

  it('refuses what a hosted server does not have', async () => {
    const [code, said] = await refused({}, ['--memory'])
    expect([code, said]).toEqual([
      2,
      expect.stringMatching(/--hosted.*cannot be used with.*--memory/),
    ])
  })

  it('writes no file, so that its root file system can be read-only', async () => {
    // Node.js refuses every write and every program that it was not allowed.
    const { url } = await hosted([], { NODE_OPTIONS: '--permission --allow-fs-read=*' })
    const { key } = await commands.json(['keys', 'issue', 'Shop', '--url', url], SETTINGS)
    const headers = { authorization: `Bearer ${key}` }
    for (const path of ['/reference', '/v1/conversations', '/_mock/endpoints']) {
      expect((await fetch(url + path, { headers })).status, path).toBe(200)
    }
    const metrics = { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } }
    expect((await fetch(`${url}/_mock/metrics`, metrics)).status).toBe(200)
  })

  it('needs no control token on a public address, and drains before it stops', async () => {
    const { url, child, exit } = await hosted(['--host', '0.0.0.0', '--drain', '2'])
    const ready = async () => (await fetch(`${url}/_mock/health/ready`)).status
    expect(await ready()).toBe(200)
    child.kill('SIGTERM')
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${url}/_mock/health/live`)).status).toBe(200)
    expect(await exit).toBe(0)
  })
})

describe('keys', () => {
  it('issues, shows, changes, replaces and revokes a key', async () => {
    const { url } = await hosted()
    const keys = (...args: string[]) => commands.json(['keys', ...args, '--url', url], SETTINGS)
    const { id, key } = await keys('issue', 'Shop', '--limit', 'endpoints=3')
    const works = async (sent: string) =>
      (await fetch(`${url}/v1/conversations`, { headers: { authorization: `Bearer ${sent}` } })).ok
    expect(await works(key)).toBe(true)
    expect(await keys('show', id)).toMatchObject({
      limits: { endpoints: 3 },
      usage: { endpoints: 0 },
    })
    await keys('change', id, '--name', 'Other', '--limit', 'conversations=7')
    expect(await keys()).toEqual([
      expect.objectContaining({
        id,
        name: 'Other',
        limits: expect.objectContaining({ conversations: 7 }),
      }),
    ])
    const { key: next } = await keys('rotate', id, '--grace', 'PT0S')
    expect([await works(key), await works(next)]).toEqual([false, true])
    await keys('revoke', id)
    expect(await works(next)).toBe(false)
    const actions = (await keys('audit')).map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['key.revoked', 'key.rotated', 'key.changed', 'key.issued'])
  })

  it('says what is wrong', async () => {
    const { url } = await hosted()
    const run = (args: string[], env = SETTINGS) =>
      commands.run(['keys', ...args, '--url', url], { ...env })
    const wrong = await run([], { ...SETTINGS, SUPPORT_CHAT_MOCK_ADMIN_TOKEN: 'wrong' })
    expect([wrong.code, wrong.stderr]).toEqual([1, 'This is not the admin token.\n'])
    const none = await run(['show', 'key_none'])
    expect([none.code, none.stderr]).toEqual([1, 'There is no key key_none.\n'])
    expect(await run(['change', 'key_none'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say what to change: --name or --limit.'),
    })
    const list = await run(['issue', 'Shop'])
    expect(list.stdout).toMatch(/^key_\S+ {2}Shop\nAPI key, not shown again: sk_test_\S+\n$/)
    expect((await run([])).stdout).toMatch(/^ID +NAME +KEY +STATE\nkey_\S+ +Shop +….{4} +in use\n$/)
  })
})
