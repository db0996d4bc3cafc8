/** From an empty folder to a verified receiver, through the tools alone. The test plays the agent. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../../../scripts/services/service.ts'
import { object } from '../../src/contract/document.ts'
import { type Agent, agent } from './clients.ts'

const KIND = 'conversation.handoff'
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let mcp: Agent | undefined
let receiver: ChildProcess | undefined
const folder = mkdtempSync(join(tmpdir(), 'express-'))
afterEach(async () => {
  receiver?.kill()
  await mcp?.close()
  rmSync(folder, { recursive: true })
})

it('takes an agent from an empty folder to a verified receiver, and explains a wrong secret', async () => {
  mcp = await agent()
  const { call, client } = mcp
  const { messages } = await client.getPrompt({
    name: 'write-receiver',
    arguments: { target: 'express' },
  })
  const prompt = String(object(messages[0]?.content).text)

  install()
  for (const file of ['shop.ts', 'express.ts']) write(prompt, file)
  const port = await freePort()
  const added = await call('sandbox_addEndpoint', {
    body: { url: `http://127.0.0.1:${port}/webhooks` },
  })
  const { secret } = added.body
  await start(port, secret)

  await call('sandbox_trigger', { body: { kind: KIND } })
  expect(await call('sandbox_settled')).toMatchObject({ deliveries: { succeeded: 1 }, failed: [] })
  const [delivered] = (await call('sandbox_listDeliveries')).body.data
  expect(delivered).toMatchObject({ state: 'succeeded', attempts: [{ status: 204 }] })
  const good = await call('sandbox_diagnose', { delivery: delivered.id, secret })
  expect(good).toMatchObject({ code: 'ok', attempt: { status: 204 } })

  const wrong = 'whsec_of_another_endpoint'
  await start(port, wrong)
  await call('sandbox_trigger', { body: { kind: KIND } })
  const { failed } = await call('sandbox_settled')
  expect(failed).toMatchObject([{ kind: KIND, state: 'dead', status: expect.any(Number) }])
  const bad = await call('sandbox_diagnose', { delivery: failed[0].id, secret: wrong })
  expect(bad).toMatchObject({ code: 'signature_mismatch', findings: [{ name: 'other_secret' }] })
  expect(bad.said).not.toContain(wrong)

  await start(port, secret)
  await call('sandbox_replayDelivery', { id: failed[0].id })
  expect(await call('sandbox_settled')).toMatchObject({ deliveries: { succeeded: 2 }, failed: [] })
})

/** What `npm install` does with the packed SDK and with Express. */
function install(): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@support-chat'), { recursive: true })
  symlinkSync(
    dirname(fileURLToPath(import.meta.resolve('@support-chat/sdk/package.json'))),
    join(modules, '@support-chat/sdk'),
  )
  symlinkSync(join(ROOT, 'node_modules/express'), join(modules, 'express'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Writes the file that a prompt shows. */
function write(prompt: string, file: string): void {
  const blocks = [...prompt.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const found = blocks.filter((code) => code.startsWith(`// ${file}`))
  expect(found).toHaveLength(1)
  writeFileSync(join(folder, file), found[0] ?? '')
}

/** Starts the receiver, in the place of the one before. Says when it listens, which the shown code does not. */
async function start(port: number, secret: string): Promise<void> {
  if (receiver) {
    receiver.kill()
    await once(receiver, 'close')
  }
  writeFileSync(join(folder, 'listening.mjs'), LISTENING)
  receiver = spawn(process.execPath, ['--import', './listening.mjs', 'express.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), SUPPORT_CHAT_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (receiver.stdout) await once(createInterface(receiver.stdout), 'line')
}

const LISTENING = `import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  return listen.apply(this.once('listening', () => console.log('listening')), args)
}
`
