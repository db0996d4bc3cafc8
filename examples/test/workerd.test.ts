import { cp } from 'node:fs/promises'
import path from 'node:path'
import { Webhooks } from '@support-chat/sdk/webhooks'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { inject, test } from 'vitest'
import { repository } from './packages.ts'

const SECRET = 'whsec_test'

// Without the flag there is no node:crypto, and webhooks are verified with WebCrypto.
test.for([
  ['without node:crypto', []],
  ['with node:crypto', ['nodejs_compat']],
] as const)('workerd runs the client and the verifier %s', async ([, flags], { expect }) => {
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle() }],
    compatibilityDate: '2026-07-30',
    compatibilityFlags: [...flags],
    bindings: {
      API_KEY: 'sk_test_demo',
      BASE_URL: inject('baseURL'),
      WEBHOOK_SECRET: SECRET,
    },
  })
  try {
    const body = JSON.stringify({
      event: 'conversation.handoff',
      id: 'evt_01J2Z91J4S',
      occurred_at: '2026-03-02T09:21:48Z',
      data: {
        conversation_id: 'conv_01J2Z8M3VN',
        reason: 'asked',
        transcript_url: 'http://x/v1/y',
      },
    })
    const headers = { 'x-service-signature': await Webhooks.sign(body, SECRET) }
    const answer = await worker.dispatchFetch('http://worker/', { method: 'POST', headers, body })

    expect(await answer.json()).toEqual({
      transcript: 3,
      posted: 'msg_01J2Z95D2F',
      ids: ['conv_01J2Z8M3VN', 'conv_01J2Z7Q4KX', 'conv_01J2YXC9TB'],
    })
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
