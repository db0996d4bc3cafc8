import { cp } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, inject, test } from 'vitest'
import { languages, type Runner } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output, type Started, start } from './processes.ts'

const SOURCES = path.join(repository, 'examples/test/sandbox')
let folder: string
let mock: Started
let url: string
let runners: ReadonlyMap<string, Runner>

beforeAll(async () => {
  folder = await temporaryFolder()
  const project = inject('project')
  const bin = path.join(project, 'node_modules/.bin/support-chat-mock')
  const serve = [process.execPath, bin, 'serve', '--port', '0', '--memory']
  mock = await start(serve, { cwd: folder })
  url = mock.firstLine.replace('Listening on ', '')

  await cp(SOURCES, folder, { recursive: true })
  const prepared = languages.map(async ({ name, sandbox }) => {
    return [name, await sandbox(SOURCES, folder, project)] as const
  })
  runners = new Map(await Promise.all(prepared))
  return async () => {
    await mock.stop()
    await removeFolder(folder)
  }
})

/** What the mock server says of a delivery. */
interface Delivery {
  id: string
  state: string
  attempts: { status: number | null }[]
}

interface Event {
  data: { conversation_id: string }
}

/** Calls the mock server with the key of a test, which has a sandbox of its own. */
function callerOf(key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return async <T>(method: string, target: string, body?: object): Promise<T> => {
    const text = body && JSON.stringify(body)
    const response = await fetch(`${url}${target}`, { method, headers, body: text ?? null })
    if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

function runnerOf(name: string): Runner {
  const runner = runners.get(name)
  if (!runner) throw new Error(`Nothing runs ${name}.`)
  return runner
}

test.for(languages)(
  '$name: an event is handled once, and again after it was dead',
  async ({ name }, { onTestFinished, expect }) => {
    const key = `sk_test_${name}_flow`
    const call = callerOf(key)
    const deliveries = async () => {
      const { data } = await call<{ data: Delivery[] }>('GET', '/_mock/deliveries')
      return data.map(({ id, state, attempts }) => ({
        id,
        state,
        statuses: attempts.map(({ status }) => status),
      }))
    }
    const { command, env } = runnerOf(name)
    const program = await start(command('flow'), { cwd: folder, env: { ...env, ...settings(key) } })
    onTestFinished(async () => {
      await program.stop()
    })
    const printed = (...beginnings: string[]) =>
      program.lines.filter((line) => beginnings.some((beginning) => line.startsWith(beginning)))
    await expect.poll(() => printed('posted', 'read'), PATIENCE).toHaveLength(2)
    expect(printed('posted', 'read')).toEqual(['posted: On its way.', 'read: On its way.'])

    await call('POST', '/_mock/clock', { advance: 'PT0S' })
    const [first] = await deliveries()
    expect(first).toMatchObject({ state: 'succeeded', statuses: [204] })
    await call('POST', `/_mock/deliveries/${first?.id}/replay`, {})
    await call('POST', '/_mock/clock', { advance: 'PT0S' })
    expect(await deliveries()).toEqual([{ ...first, statuses: [204, 204] }])

    const { data: events } = await call<{ data: Event[] }>('GET', '/_mock/events')
    const conversation = events[0]?.data.conversation_id
    await call('POST', `/_mock/conversations/${conversation}/messages`, { text: 'Not now.' })
    await call('POST', '/_mock/clock', { advance: 'PT24H' })
    const [dead] = await deliveries()
    expect(dead).toMatchObject({ state: 'dead', statuses: Array(5).fill(503) })
    expect(await call('POST', '/_mock/replay', {})).toEqual({ replayed: 1 })
    await call('POST', '/_mock/clock', { advance: 'PT0S' })
    const statuses = [...Array(5).fill(503), 204]
    expect((await deliveries())[0]).toEqual({ ...dead, state: 'succeeded', statuses })

    const failed = Array(5).fill('failed: Not now.')
    await expect
      .poll(() => printed('handled', 'failed'), PATIENCE)
      .toEqual(['handled: On its way.', ...failed, 'handled: Not now.'])
  },
)

const PATIENCE = { timeout: 60_000 }

/**
 * Calls of a client, each with a fault, and how they end: a status, and what is known of the effect.
 * What is repeated is a 502, as the contract's 503 and 429 ask for a wait of half a minute.
 */
const FAULTS: {
  call: 'read' | 'write'
  fault: string
  retries?: number
  timeout?: number
  ends: string
}[] = [
  { call: 'read', fault: 'status=502; times=2', retries: 2, ends: 'succeeded' },
  { call: 'read', fault: 'status=503', ends: '503 unknown' },
  { call: 'write', fault: 'status=503; times=1', retries: 2, ends: '503 unknown' },
  { call: 'write', fault: 'status=429; times=1', ends: '429 rejected' },
  { call: 'read', fault: 'delay=50ms', ends: 'succeeded' },
  { call: 'read', fault: 'delay=60s', timeout: 500, ends: 'unknown' },
  { call: 'read', fault: 'reset', ends: 'unknown' },
  { call: 'read', fault: 'reset; times=1', retries: 1, ends: 'succeeded' },
  { call: 'write', fault: 'reset; times=1', retries: 2, ends: 'unknown' },
  { call: 'read', fault: 'truncate', ends: 'unknown' },
  { call: 'read', fault: 'truncate; times=1', retries: 1, ends: 'succeeded' },
  { call: 'write', fault: 'truncate; times=1', retries: 2, ends: 'unknown' },
  { call: 'read', fault: 'rate=1', ends: '503 unknown' },
  { call: 'read', fault: 'rate=0', ends: 'succeeded' },
  { call: 'read', fault: 'status=502; rate=0.5; times=1', retries: 1, ends: 'succeeded' },
]

/** The writes that took effect, each once. */
const WRITTEN = ['truncate; times=1']

test.for(languages)(
  '$name: what goes wrong is repeated or raised as it should',
  async ({ name }, { expect }) => {
    const key = `sk_test_${name}_faults`
    const { command, env } = runnerOf(name)
    const cases = FAULTS.map(({ call, fault, retries = 0, timeout = 30_000 }) => {
      return { call, fault, retries, timeout }
    })
    const printed = await output([...command('faults'), JSON.stringify(cases)], {
      cwd: folder,
      env: { ...env, ...settings(key) },
    })
    const ends = printed.trim().split('\n')
    expect(FAULTS.map((fault, index) => ({ ...fault, ends: ends[index] }))).toEqual(FAULTS)

    const target = '/v1/conversations/conv_01J2Z8M3VN'
    const { transcript } = await callerOf(key)<{ transcript: { text: string }[] }>('GET', target)
    const texts = transcript.map(({ text }) => text)
    expect(texts.filter((text) => text.includes('times='))).toEqual(WRITTEN)
  },
)

function settings(key: string): Record<string, string> {
  return { SUPPORT_CHAT_API_KEY: key, SUPPORT_CHAT_BASE_URL: url }
}
