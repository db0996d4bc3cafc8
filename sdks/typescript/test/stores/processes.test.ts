// Four receivers on one store, each in a process of its own: nothing is handled twice, nothing is lost.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { fakeDelivery } from '../../src/testing/index.ts'
import { useDatabases } from './databases.ts'
import { type Door, openDoor } from './door.ts'

const secret = 'whsec_test'
const databases = useDatabases('redis', 'postgres')

interface Worker {
  url: string
  process: ChildProcess
}

let stops: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of stops) await stop()
  stops = []
})

let runs = 0

/** Four receivers, and what their handlers did. */
async function start(store: string, url: string) {
  const log = join(databases.folder, `log-${++runs}`)
  const hang = `${log}-hang`
  writeFileSync(log, '')
  const workers = await Promise.all(
    Array.from({ length: 4 }, () => startWorker(store, url, { LOG: log, HANG: hang })),
  )
  const lines = () => readFileSync(log, 'utf8').split('\n').filter(Boolean)
  return {
    workers,
    hang,
    /** The events that handlers finished, sorted. */
    done: () =>
      lines()
        .flatMap((line) => line.match(/^done (.*)/)?.[1] ?? [])
        .sort(),
    /** The processes in whose handlers an event hangs. */
    hanging: () => lines().flatMap((line) => line.match(/^hang .* (\d+)$/)?.[1] ?? []),
  }
}

async function startWorker(store: string, url: string, env: object): Promise<Worker> {
  const args = [join(import.meta.dirname, 'worker.ts'), store, url]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  stops.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { url: `http://127.0.0.1:${Number(port)}/`, process: child }
}

async function deliver({ url }: Worker, id: string): Promise<number> {
  const delivery = await fakeDelivery('future', { secret, overrides: { id } })
  const { status } = await fetch(url, { method: 'POST', ...delivery })
  return status
}

/** As the service does: until there is a success. */
async function insist(workers: readonly Worker[], id: string): Promise<void> {
  let attempt = 0
  await expect
    .poll(() => deliver(workers[attempt++ % workers.length] as Worker, id), { timeout: 45_000 })
    .toBe(204)
}

describe.each(['Redis', 'PostgreSQL', 'SQLite'])('four receivers on %s', (store) => {
  const urlOf = () =>
    ({
      Redis: databases.redis,
      PostgreSQL: databases.postgres,
      SQLite: join(databases.folder, 'events.db'),
    })[store] ?? ''

  test('handle an event once of 50 duplicates at the same time', async () => {
    const { workers, done } = await start(store, urlOf())
    const ids = [`evt_${store}_1`, `evt_${store}_2`]
    const statuses = await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: 50 }, (_, i) => deliver(workers[i % 4] as Worker, id)),
      ),
    )
    for (const status of statuses) expect([204, 503]).toContain(status)
    for (const worker of workers) for (const id of ids) expect(await deliver(worker, id)).toBe(204)
    expect(done()).toEqual(ids)
  })

  test('handle an event whose first handler was killed, after its lease', async () => {
    const { workers, hang, hanging, done } = await start(store, urlOf())
    const id = `evt_hang_${store}`
    const [first, ...others] = workers as [Worker, ...Worker[]]
    writeFileSync(hang, '')
    const lost = deliver(first, id).catch((error) => error)
    await expect.poll(hanging).toEqual([`${first.process.pid}`])
    first.process.kill('SIGKILL')
    expect(await lost).toBeInstanceOf(Error)
    rmSync(hang)
    await insist(others, id)
    for (const other of others) expect(await deliver(other, id)).toBe(204)
    expect(done()).toEqual([id])
    expect(hanging()).toHaveLength(1)
  })
})

describe.each(['Redis', 'PostgreSQL'] as const)('%s that goes away and comes back', (store) => {
  test('loses no event', async () => {
    const url = store === 'Redis' ? databases.redis : databases.postgres
    const door: Door = await openDoor(url)
    stops.push(() => door.shut().catch(() => {}))
    const { workers, done } = await start(store, door.url)
    const ids = Array.from({ length: 8 }, (_, i) => `evt_away_${store}_${i}`)
    const [before, during] = [ids.slice(0, 4), ids.slice(4)]
    for (const id of before) expect(await deliver(workers[0] as Worker, id)).toBe(204)
    await door.shut()
    for (const [i, id] of during.entries()) {
      expect(await deliver(workers[i % 4] as Worker, id)).toBe(503)
    }
    expect(done()).toEqual(before)
    await door.open()
    for (const id of ids) await insist(workers, id)
    expect(done()).toEqual(ids)
  })
})
