import { createHmac } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { programs } from '../../scripts/toolchain/programs.ts'
import { unusedAddress } from './addresses.ts'
import { MODULE, type ModuleProxy, serveModule } from './install-go.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'

const example = path.join(repository, 'examples/go')
const env = { SUPPORT_CHAT_API_KEY: 'sk_test_demo', SUPPORT_CHAT_BASE_URL: inject('baseURL') }

// The example in a folder of its own, with the module as users get it.
let shop: string
let program: string
let proxy: ModuleProxy

beforeAll(async () => {
  const folder = await temporaryFolder()
  shop = path.join(folder, 'shop')
  program = path.join(folder, 'web-shop')
  await cp(example, shop, { recursive: true })
  proxy = await serveModule(folder)
  await proxy.go(['mod', 'edit', '-dropreplace', MODULE, '-droprequire', MODULE], shop)
  await proxy.go(['get', `${MODULE}@latest`], shop)
  await proxy.go(['build', '-o', program, '.'], shop)
  await proxy.go(['build', '-o', path.join(shop, 'receive'), './receiver'], shop)
  return () => removeFolder(folder)
})

test('another module requires the SDK, which brings no other module with it', async () => {
  const modules = await proxy.go(['list', '-m', 'all'], shop)
  expect(modules).toBe(`example.com/web-shop\n${MODULE} ${proxy.version}\n`)
})

test('the SDK and what is built on it pass go vet outside of the repository', async () => {
  await proxy.go(['vet', './...', MODULE], shop)
})

test('go run runs the example, which prints what the README shows', async () => {
  const shown = await shownIn(path.join(example, 'README.md'))
  expect(await proxy.go(['run', '.'], shop, env)).toBe(shown.get('go run .'))
})

test("the receiver's own tests pass, which use the SDK's test kit", async () => {
  expect(await proxy.go(['test', './...'], shop)).toContain('ok  \texample.com/web-shop/receiver\t')
})

test('the receiver accepts a delivery that the service signed and no other', async () => {
  const secret = 'whsec_test'
  const receiver = await start([path.join(shop, 'receive')], {
    cwd: shop,
    env: { PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: secret },
  })
  const url = receiver.firstLine.replace('Receiving events on ', '')
  const body = '{"event":"a.b","id":"evt_1","occurred_at":"2026-03-02T09:00:00Z","data":{}}'
  const post = async (key: string) => {
    const digest = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'x-service-signature': `sha256=${digest}` }
    const response = await fetch(url, { method: 'POST', body, headers })
    return { status: response.status, text: await response.text() }
  }
  try {
    expect(await post(secret)).toEqual({ status: 204, text: '' })
    expect(await post(secret)).toEqual({ status: 204, text: '' })
    expect(await post('whsec_other')).toEqual({ status: 401, text: '' })
  } finally {
    await receiver.stop()
  }
})

test('without a secret the receiver fails and says so', async () => {
  const { status, stderr } = await run([path.join(shop, 'receive')], { cwd: shop })
  expect(status).toBe(1)
  expect(stderr).toContain('missing_secret')
})

test('without a base URL the example fails and names the command that starts the mock', async () => {
  const { status, stderr } = await run([program], {
    cwd: shop,
    env: { SUPPORT_CHAT_API_KEY: 'sk_test_demo' },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('support-chat-mock serve')
})

test('where nothing listens the example fails and says that nothing was sent', async () => {
  const { status, stdout, stderr } = await run([program], {
    cwd: shop,
    env: { ...env, SUPPORT_CHAT_BASE_URL: await unusedAddress() },
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('(outcome: not_sent)')
})

test('the example is formatted by gofmt', async () => {
  expect(await output([programs.gofmt, '-l', '.'], { cwd: example })).toBe('')
})
