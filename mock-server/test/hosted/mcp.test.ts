// A coding agent's tools on a hosted server, with the key of one sandbox.
import { afterEach, expect, it } from 'vitest'
import { Commands } from '../command.ts'
import { type Agent, agent } from '../mcp/clients.ts'
import { databaseUrl, Schema } from '../postgres.ts'
import { ADMIN_TOKEN } from './hosted.ts'

const SETTINGS = {
  DATABASE_URL: databaseUrl(),
  SUPPORT_CHAT_MOCK_ADMIN_TOKEN: ADMIN_TOKEN,
  SUPPORT_CHAT_MOCK_PUBLIC_URL: 'http://sandbox.test',
}

const commands = new Commands()
let open: Agent | undefined
afterEach(async () => {
  await open?.close()
  commands.close()
  await new Schema('mock_server').drop()
})

it('act in the sandbox of the key alone, and not without an issued key', async () => {
  const { url } = await commands.serve(['--hosted'], SETTINGS)
  const issue = async (name: string): Promise<string> => {
    const { key } = await commands.json(['keys', 'issue', name, '--url', url], SETTINGS)
    return key
  }
  const [key, other] = [await issue('Shop'), await issue('Other')]
  open = await agent(['--url', url], { SUPPORT_CHAT_API_KEY: key })
  const created = await open.call('sandbox_createConversation', { body: { text: 'Hello' } })
  expect(created).toMatchObject({ isError: false, status: 201 })
  const statusFor = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    return (await fetch(`${url}/v1/conversations/${created.id}`, { headers })).status
  }
  expect([await statusFor(key), await statusFor(other)]).toEqual([200, 404])

  const unknown = { SUPPORT_CHAT_API_KEY: 'sk_test_that_nobody_issued' }
  const { code, stdout, stderr } = await commands.run(['mcp', '--url', url], unknown)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).not.toContain(unknown.SUPPORT_CHAT_API_KEY)
  expect(stderr).not.toContain(key)
})
