import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fakeDelivery } from '@support-chat/sdk/testing'
import { afterAll, beforeAll, describe, inject, type TestContext, test } from 'vitest'
import { unusedAddress } from './addresses.ts'
import { type Block, blocksOf, linksOf, patched, requestOf, sessionOf } from './guide-programs.ts'
import { fences, languages, PROBED, type Project } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, run, start } from './processes.ts'
import { written } from './projects.ts'

type Delivery = Awaited<ReturnType<typeof fakeDelivery>>

const pages = [
  'webhooks.md',
  'webhooks/once.md',
  'webhooks/testing.md',
  'webhooks/diagnosis.md',
].map((name) => path.join(repository, 'docs', name))
const text = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n')
const blocks = (await Promise.all(pages.map(blocksOf))).flat()
const shown = requestOf(blocks.find(({ fence }) => fence === 'http')?.code ?? '')

/** What signs the delivery that the guide shows. */
const SECRET = 'whsec_test'
const OLD_SECRET = 'whsec_old'
const HANDLED = 'call a human to conv_01J2Z8M3VN'

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))

describe.each(languages)('the guide to webhooks in $name', ({ fence, guide }) => {
  const { create, database, probe, receiver: only, sharesDatabase = true } = guide
  const own = blocks.filter((block) => block.fence === fence)
  const receivers = own.filter(({ use }) => use === 'started')
  const stores = own.filter(({ file }) => file === undefined)
  let project: Project

  beforeAll(async () => {
    const files = own.flatMap(({ file, code }) => (file === undefined ? [] : [[file, code]]))
    project = await create(Object.fromEntries(files), {
      folder,
      npm: inject('project'),
      name: 'webhooks',
    })
  })

  test('is accepted by what checks the language', async () => {
    await project.check()
  })

  test.for(receivers)('$file receives', async (receiver, context) => {
    const { expect } = context
    const { deliver, log } = await serve(context, project, receiver)
    const overrides = { id: 'evt_2' }
    const forged = await fakeDelivery('conversation.handoff', { secret: 'whsec_other', overrides })
    const future = await fakeDelivery('future', { secret: SECRET })
    expect(await deliver(shown)).toBe(204)
    expect(await deliver(shown)).toBe(204)
    expect(await deliver(forged)).toBe(401)
    expect(await deliver(future)).toBe(204)
    expect(work(await log())).toEqual([HANDLED, 'nothing to do about future.event'])
    expect(await log()).toContain('signature_mismatch')
    expect(await log()).not.toContain('whsec_')
  })

  test.for(receivers.filter(({ code }) => code.includes('_OLD')))(
    '$file receives during a rotation, and after it refuses what the old secret signs',
    async (receiver, context) => {
      const { expect } = context
      const overrides = { id: 'evt_2' }
      const old = await fakeDelivery('conversation.handoff', { secret: OLD_SECRET, overrides })
      for (const [secret, status] of [
        [OLD_SECRET, 204],
        ['', 401],
      ] as const) {
        const env = { SUPPORT_CHAT_WEBHOOK_SECRET_OLD: secret }
        const { deliver } = await serve(context, project, receiver, env)
        expect([await deliver(shown), await deliver(old)]).toEqual([204, status])
      }
    },
  )

  test.for(receivers)('$file does not start without a secret', async (receiver, { expect }) => {
    const env = { ...project.env, PORT: '0', SUPPORT_CHAT_WEBHOOK_SECRET: '' }
    const { status, stdout, stderr } = await run(['sh', '-c', `exec ${receiver.command}`], {
      cwd: project.folder,
      env,
    })
    expect(status).toBeGreaterThan(0)
    expect(stdout + stderr).toContain('missing_secret')
  })

  test.for(own.filter(({ use }) => use === 'run'))('$file passes', async ({ command }) => {
    await output(['sh', '-c', `exec ${command}`], { cwd: project.folder, env: project.env })
  })

  test.for([...stores.entries()])(
    'receivers that share the store of block %i handle an event once',
    async ([index, { code }], context) => {
      const { expect } = context
      const receiver = only ? receivers.find(({ file }) => file === only) : receivers[index]
      if (!receiver?.file) throw new Error('There is no receiver for this store.')
      const place = `${project.folder}-${index}`
      await cp(project.folder, place, { recursive: true, verbatimSymlinks: true })
      await written(place, { [receiver.file]: patched(receiver.code, code), ...database })

      const shop = { ...project, folder: place }
      const servers = [await serve(context, shop, receiver)]
      if (sharesDatabase) servers.push(await serve(context, shop, receiver))
      const names = Array.from({ length: 10 }, (_, number) => `conv_${number}`)
      const deliveries = await Promise.all(names.map(handoff))
      const atOnce = deliveries.flatMap((delivery) =>
        [...servers, ...servers].map(({ deliver }) => deliver(delivery)),
      )
      for (const status of await Promise.all(atOnce)) expect([204, 503]).toContain(status)
      for (const delivery of deliveries) {
        for (const { deliver } of servers) expect(await deliver(delivery)).toBe(204)
      }

      const logs = await Promise.all(servers.map(({ log }) => log()))
      expect(work(logs.join('')).sort()).toEqual(names.map((name) => `call a human to ${name}`))
    },
  )

  test('the store gives one lease, and compares tokens', async ({ expect }) => {
    const place = `${project.folder}-probe`
    await cp(project.folder, place, { recursive: true, verbatimSymlinks: true })
    await written(place, { ...probe.files, ...database })
    const printed = await output(['sh', '-c', probe.command], {
      cwd: place,
      env: project.env,
    })
    expect(printed.split('\n')).toContain(PROBED)
  })
})

test('the commands of the guide print what it shows', async (context) => {
  const { expect } = context
  const receiver = blocks.find(({ file }) => file === 'receiver.ts')
  const shop = blocks.find(({ file }) => file === 'shop.ts')
  if (!receiver || !shop) throw new Error('The guide has no receiver.')
  const files = { 'receiver.ts': receiver.code, 'shop.ts': shop.code }
  const place = await written(path.join(inject('project'), 'guide-commands'), files)
  const { address } = await serve(context, { folder: place, env: {} }, receiver)

  const sessions = blocks.filter(({ fence }) => fence === 'console')
  expect(sessions.length).toBeGreaterThan(0)
  for (const { code } of sessions) {
    const { commands, printed } = sessionOf(code)
    const here = commands.join('\n').replaceAll('http://127.0.0.1:8080', address)
    const env = { SUPPORT_CHAT_WEBHOOK_SECRET: SECRET }
    const { stdout } = await run(['sh', '-c', here], { cwd: place, env })
    expect(stdout).toBe(printed)
  }
})

test('no block of the guide is left out', ({ expect }) => {
  const left = blocks.filter((block) => {
    const isSession = ['console', 'http'].includes(block.fence)
    return !isSession && !(fences.includes(block.fence) && (block.use ?? isUsed(block)))
  })
  expect(left).toEqual([])
  for (const fence of fences) {
    const uses = blocks.filter((block) => block.fence === fence).map(({ use }) => use)
    expect(uses).toEqual(expect.arrayContaining(['started', 'run']))
  }
})

test('the guide lists the status of each code', async ({ expect }) => {
  const file = path.join(repository, 'sdks/conformance/webhooks/receivers.json')
  const { statuses } = JSON.parse(await readFile(file, 'utf8'))
  const rows = text.matchAll(/^\| (`.*`) \| (\d{3}) \|/gm)
  const said = Array.from(rows, ([, codes = '', status]) =>
    codes.split(', ').map((code) => [code.replaceAll('`', ''), Number(status)]),
  ).flat()
  expect({ ok: 204, ...Object.fromEntries(said) }).toEqual(statuses)
})

test.for(pages)('%s links to what exists', async (page, { expect }) => {
  const { links, broken } = await linksOf(page)
  expect(links.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

function handoff(conversation: string): Promise<Delivery> {
  const overrides = { id: `evt_of_${conversation}`, data: { conversation_id: conversation } }
  return fakeDelivery('conversation.handoff', { secret: SECRET, overrides })
}

/** Whether a block that neither starts nor runs is part of one that does. */
function isUsed({ fence, file }: Block): boolean {
  const language = languages.find((one) => one.fence === fence)
  // A line for a receiver is put into it.
  if (language?.guide.buildsFolder || file === undefined) return true
  const name = path.parse(file).name
  const names = new RegExp(`(?:from|import|require_relative) ["'./]*${name}\\b`)
  return blocks.some((other) => other.fence === fence && names.test(other.code))
}

/** What receivers say that they have done. */
function work(log: string): string[] {
  return log.split('\n').filter((line) => /^(?:call|nothing)/.test(line))
}

let logs = 0

/** Starts a receiver, with a port and a secret, and waits until it responds. */
async function serve(
  { expect, onTestFinished }: Pick<TestContext, 'expect' | 'onTestFinished'>,
  { folder: cwd, env }: Pick<Project, 'folder' | 'env'>,
  { command }: Block,
  more: Record<string, string> = {},
) {
  const address = await unusedAddress()
  const file = path.join(folder, `${logs++}.log`)
  const { stop } = await start(['sh', '-c', `echo; exec ${command} > '${file}' 2>&1`], {
    cwd,
    env: { ...env, SUPPORT_CHAT_WEBHOOK_SECRET: SECRET, PORT: new URL(address).port, ...more },
  })
  onTestFinished(async () => {
    await stop()
  })
  const url = `${address}/webhooks`
  const log = () => readFile(file, 'utf8')
  const ask = (init?: RequestInit) => fetch(url, init).then(({ status }) => status)
  await expect.poll(() => ask().catch(log), { timeout: 60_000, interval: 200 }).toBeTypeOf('number')

  const deliver = ({ body, headers }: Delivery | typeof shown) =>
    ask({ method: 'POST', body, headers })
  return { address, deliver, log }
}
