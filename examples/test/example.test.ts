import { cp } from 'node:fs/promises'
import path from 'node:path'
import { fakeDelivery } from '@support-chat/sdk/testing'
import { beforeAll, expect, inject, test } from 'vitest'
import { unusedAddress } from './addresses.ts'
import { repository } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'
import { receiveAsShown } from './receive.ts'
import { runtimes } from './runtimes.ts'
import { ownSandbox } from './sandboxes.ts'

const example = path.join(repository, 'examples/typescript')
const shop = path.join(inject('project'), 'shop')
const node = runtimes['Node 24']()

const readme = path.join(example, 'README.md')
const shown = await shownIn(readme)

beforeAll(() => cp(path.join(example, 'src'), path.join(shop, 'src'), { recursive: true }))

// These run TypeScript as it stands.
for (const runtime of ['Node 24', 'Deno', 'Bun'] as const) {
  test.for(['src/main.ts', 'src/rehearse.ts'])(
    `${runtime} runs %s, which prints what the README shows, and again`,
    async (file, { expect }) => {
      const env = ownSandbox()
      const command = [...runtimes[runtime](), file]
      for (let times = 0; times < 2; times++) {
        expect(await output(command, { cwd: shop, env })).toBe(shown.get(`node ${file}`))
      }
    },
  )
}

test('without a base URL the example fails and names the command that starts the mock', async () => {
  const { status, stderr } = await run([...node, 'src/main.ts'], {
    cwd: shop,
    env: { SUPPORT_CHAT_API_KEY: 'sk_test_demo' },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('support-chat-mock serve')
})

test('where nothing listens the example fails and says that nothing was sent', async () => {
  const { status, stdout, stderr } = await run([...node, 'src/main.ts'], {
    cwd: shop,
    env: ownSandbox(await unusedAddress()),
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('(outcome: not_sent)')
})

test('the receiver gets events from the mock server as the README shows', (context) =>
  receiveAsShown(readme, { cwd: shop }, context))

test('the receiver accepts a delivery that the SDK signed and no other', async () => {
  const secret = 'whsec_test'
  const receiver = await start([...node, 'src/receive.ts'], {
    cwd: shop,
    env: { PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: secret },
  })
  const url = receiver.firstLine.replace('Receiving events on ', '')
  const post = async (signedWith: string) => {
    const delivery = await fakeDelivery('conversation.csat', { secret: signedWith })
    const response = await fetch(url, { method: 'POST', ...delivery })
    return { status: response.status, text: await response.text() }
  }
  try {
    expect(await post(secret)).toEqual({ status: 204, text: '' })
    expect(await post('whsec_other')).toEqual({ status: 401, text: '' })
  } finally {
    await receiver.stop()
  }
})
