/** The server over TLS, with its own certificate and with a given one. */
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Commands } from './command.ts'
import { receiver as startReceiver } from './receiver.ts'

let commands: Commands
beforeEach(() => {
  commands = new Commands()
})
afterEach(() => commands.close())

/** The status for a client that trusts a certificate, or none. */
function get(url: string, ca?: string, headers = {}, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { ca, headers, method }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

it('serves the API, the pages and listeners with an own certificate, which is kept', async () => {
  const folder = join(commands.folder, 'data')
  const file = join(folder, 'localhost.crt')
  const { url, stdout, stop } = await commands.serve(['--https', '--data-dir', folder])
  expect(url).toMatch(/^https:/)
  await expect.poll(stdout).toContain(`NODE_EXTRA_CA_CERTS='${file}'`)
  const ca = readFileSync(file, 'utf8')
  const auth = { authorization: 'Bearer sk_test_demo' }
  await expect(get(url)).rejects.toThrow('self-signed')
  expect(await get(`${url}/v1/conversations`, ca, auth)).toBe(200)
  expect(await get(`${url.replace('127.0.0.1', 'localhost')}/`, ca)).toBe(200)
  const own = { ...auth, origin: url, 'content-type': 'application/json' }
  expect(await get(`${url}/_mock/reset`, ca, own, 'POST')).not.toBe(403)
  const other = { ...own, origin: url.replace('https', 'http') }
  expect(await get(`${url}/_mock/reset`, ca, other, 'POST')).toBe(403)

  const env = { SUPPORT_CHAT_BASE_URL: url, NODE_EXTRA_CA_CERTS: file }
  const receiver = await startReceiver()
  const listening = commands.start(['listen', '--forward-to', receiver.url], env)
  await listening.prints('Forwarding to')
  expect((await commands.run(['trigger', 'future'], env)).code).toBe(0)
  await receiver.until(1)
  const untrusted = await commands.run(['events'], { ...env, NODE_EXTRA_CA_CERTS: '' })
  expect(untrusted.code).toBe(1)
  expect(untrusted.stderr).toContain('self-signed')
  await listening.stop()
  await receiver.close()
  await stop()
  await commands.serve(['--https', '--data-dir', folder])
  expect(readFileSync(file, 'utf8')).toBe(ca)
})

it('serves with a given certificate, and says which file is missing', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  writeFileSync(join(commands.folder, 'a.crt'), cert)
  writeFileSync(join(commands.folder, 'a.key'), key)
  const { url } = await commands.serve(['--memory', '--cert', 'a.crt', '--key', 'a.key'])
  expect(await get(`${url}/reference`, cert)).toBe(200)
  const alone = await commands.run(['serve', '--cert', 'a.crt'])
  expect(alone).toMatchObject({ code: 2, stdout: '' })
  expect(alone.stderr).toContain('--key')
  const missing = await commands.run(['serve', '--cert', 'b.crt', '--key', 'a.key'])
  expect(missing.stderr).toContain('b.crt cannot be read (ENOENT)')
})
