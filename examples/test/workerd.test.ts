import { cp } from 'node:fs/promises'
import path from 'node:path'
import { fakeDelivery } from '@support-chat/sdk/testing'
import { build } from 'esbuild'
import { inject, test } from 'vitest'
import { Miniflare } from '../../toolchains/miniflare.ts'
import { repository } from './packages.ts'
import { ownSandbox } from './sandboxes.ts'

const SECRET = 'whsec_test'

// Without the flag there is no node:crypto, and webhooks are verified with WebCrypto.
test.for([
  ['without node:crypto', []],
  ['with node:crypto', ['nodejs_compat']],
] as const)('workerd runs the client and a receiver %s', async ([, flags], { expect }) => {
  const settings = ownSandbox()
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle() }],
    compatibilityDate: '2026-07-30',
    compatibilityFlags: [...flags],
    bindings: {
      API_KEY: settings.SUPPORT_CHAT_API_KEY,
      BASE_URL: settings.SUPPORT_CHAT_BASE_URL,
      WEBHOOK_SECRET: SECRET,
    },
  })
  try {
    const send = async (init: Parameters<typeof worker.dispatchFetch>[1]) =>
      (await worker.dispatchFetch('http://worker/', { method: 'POST', ...init })).status
    const delivery = await fakeDelivery('conversation.handoff', { secret: SECRET })

    expect(await send(delivery)).toBe(204)
    expect(await send(await fakeDelivery('future', { secret: SECRET }))).toBe(204)
    expect(await send({ ...delivery, headers: {} })).toBe(401)
    // Of what a worker leaves unread, workerd still takes 64 KiB; then the connection breaks.
    expect(await send({ ...delivery, body: ' '.repeat(20_000) })).toBe(413)
    expect(await send({ method: 'PUT' })).toBe(405)

    const found = await worker.dispatchFetch('http://worker/')
    expect(await found.json()).toEqual([
      {
        messages: 4,
        last: 'Coming!',
        ids: ['conv_01J2Z8M3VN', 'conv_01J2Z7Q4KX', 'conv_01J2YXC9TB'],
        volumes: [3, 3],
      },
    ])
  } finally {
    await worker.dispose()
  }
})

/** The worker in one file with the packed SDK, as deploying it would make it. */
async function bundle(): Promise<string> {
  const entry = path.join(inject('project'), 'worker.ts')
  await cp(path.join(repository, 'examples/test/consumers/worker.ts'), entry)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
