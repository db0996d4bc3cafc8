import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { programs } from '../../scripts/toolchain/languages/go.ts'
import { unusedAddress } from './addresses.ts'
import { delivery, responseOf, SECRET } from './delivery.ts'
import { MODULE, type ModuleProxy, serveModule } from './install-go.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { shownIn } from './readme.ts'
import { receiveAsShown } from './receive.ts'
import { ownSandbox } from './sandboxes.ts'

const example = path.join(repository, 'examples/go')
const readme = path.join(example, 'README.md')

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

test('go run runs the example, which prints what the README shows, and again', async () => {
  const shown = await shownIn(readme)
  const env = ownSandbox()
  for (let times = 0; times < 2; times++) {
    expect(await proxy.go(['run', '.'], shop, env)).toBe(shown.get('go run .'))
  }
})

test('the receiver gets events from the mock server as the README shows', (context) =>
  receiveAsShown(readme, { cwd: shop, env: proxy.env }, context))

test("the receiver's own tests pass, which use the SDK's test kit", async () => {
  expect(await proxy.go(['test', './...'], shop)).toContain('ok  \texample.com/web-shop/receiver\t')
})

test('the receiver accepts a delivery that the service signed and no other', async () => {
  const receiver = await start([path.join(shop, 'receive')], {
    cwd: shop,
    env: { PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: SECRET },
  })
  const url = receiver.firstLine.replace('Receiving events on ', '')
  try {
    expect(await responseOf(url, delivery())).toEqual([204, ''])
    expect(await responseOf(url, delivery())).toEqual([204, ''])
    expect(await responseOf(url, delivery('whsec_other'))).toEqual([401, ''])
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
    env: ownSandbox(await unusedAddress()),
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('(outcome: not_sent)')
})

test('the programs are formatted by gofmt', async () => {
  expect(await output([programs.gofmt, '-l', '.', '../test/sandbox/go'], { cwd: example })).toBe('')
})
