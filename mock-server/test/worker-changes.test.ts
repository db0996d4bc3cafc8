/** What becomes of deliveries that were taken, when what they belong to changes or is no more. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { held } from './held.ts'
import { EMPTY, FAILED, gate, OK, type Virtual, virtual } from './virtual.ts'

const HOUR = 3_600_000
let world: Virtual
afterEach(() => world.close())

/** How often each of them is there. */
function count(texts: readonly string[]) {
  return Object.fromEntries(
    [...new Set(texts)].sort().map((text) => [text, texts.filter((one) => one === text).length]),
  )
}

describe('when a secret is rotated', () => {
  /** Gives an endpoint another secret. */
  async function rotate(id: string) {
    const sandbox = await world.sandbox()
    await world.store.endpoints.changeSecret(sandbox, id, 'whsec_new')
    const endpoint = (await world.store.endpoints.list(sandbox)).find((one) => one.id === id)
    if (!endpoint) throw new Error(`there is no endpoint ${id}`)
    world.worker.renew(sandbox, endpoint)
  }

  it('every attempt that begins afterwards is signed with the new one', async () => {
    const { opened, open } = gate()
    const { until, send } = held()
    const secrets: string[] = []
    world = await virtual(async (job) => {
      secrets.push(`${job.endpoint.id} ${job.endpoint.secret}`)
      void send(job)
      await opened
      return OK
    })
    await world.endpoint('ep_1')
    await world.endpoint('ep_2')
    await world.emit(150)
    await until(20)
    await rotate('ep_1')
    open()
    await world.worker.settled()
    expect(count(secrets)).toEqual({
      'ep_1 whsec_ep_1': 10,
      'ep_1 whsec_new': 140,
      'ep_2 whsec_ep_2': 150,
    })
  })

  it('deliveries that are taken meanwhile are signed with the new one', async () => {
    const secrets: string[] = []
    world = await virtual(async ({ endpoint }) => {
      secrets.push(endpoint.secret)
      return OK
    })
    await world.endpoint('ep_1')
    const { outbox } = world.store
    const claim = outbox.claim.bind(outbox)
    vi.spyOn(outbox, 'claim').mockImplementationOnce(async (...asked) => {
      const jobs = await claim(...asked)
      await rotate('ep_1')
      return jobs
    })
    await world.emit(3)
    await world.worker.settled()
    expect(secrets).toEqual(Array(3).fill('whsec_new'))
  })
})

describe('when a sandbox is emptied', () => {
  /** Fifty deliveries, of which ten run until they are answered. */
  async function tenRunning() {
    const { send, ...parts } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(50)
    await parts.until(10)
    return { ...parts, sandbox: await world.sandbox() }
  }

  it('what waits of it is not sent any more, and what runs is forgotten', async () => {
    const { running, answerAll, sandbox } = await tenRunning()
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.forget(sandbox)
    answerAll()
    await world.worker.settled()
    expect(running).toHaveLength(0)
    expect(await world.store.deliveries.list(sandbox, {}, 10)).toEqual([])
  })

  it('nobody waits for what still runs of it, but whoever stops the worker', async () => {
    const { running, answerAll, sandbox } = await tenRunning()
    const waited = world.worker.settled(sandbox)
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.forget(sandbox)
    await waited
    await world.worker.settled(sandbox)
    expect(running).toHaveLength(10)
    let isStopped = false
    const stopped = world.worker.stop().then(() => {
      isStopped = true
    })
    await new Promise(setImmediate)
    expect(isStopped).toBe(false)
    answerAll()
    await stopped
  })

  it('a new endpoint of it has its ten attempts at once, whatever still runs', async () => {
    const { running, until, answerAll, sandbox } = await tenRunning()
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.forget(sandbox)
    await world.endpoint('ep_1')
    await world.emit(50)
    await until(20)
    expect(running).toHaveLength(20)
    const stopped = world.worker.stop()
    answerAll()
    await stopped
  })

  it('time that was passing for it stops, and leaves its new clock alone', async () => {
    const { send, until, answerAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit()
    const before = await world.sandbox()
    const passing = world.advance(24 * HOUR)
    await until(1)
    answerAll(FAILED)
    // The second attempt, a quarter of an hour later.
    await until(1)
    await world.store.sandboxes.reset(before, EMPTY)
    world.worker.forget(before)
    await passing
    expect(await world.sandbox()).toEqual({ ...before, offset: 0, generation: 1 })
    expect(await world.store.sandboxes.get('a', () => EMPTY)).toEqual(await world.sandbox())
    answerAll()
  })
})

describe('when an endpoint is removed', () => {
  it('what waits for it is not sent any more, and what runs is forgotten; others go on', async () => {
    const { running, send, until, answerAll } = held()
    const sent: string[] = []
    world = await virtual((job) => {
      sent.push(job.endpoint.id)
      return send(job)
    })
    await world.endpoint('ep_1')
    await world.endpoint('ep_2')
    await world.emit(12)
    await until(20)
    const sandbox = await world.sandbox()
    await world.store.endpoints.remove(sandbox, 'ep_1')
    world.worker.forget(sandbox, 'ep_1')
    for (const { job, answer } of [...running]) answer(job.endpoint.id === 'ep_1' ? FAILED : OK)
    await until(2)
    expect(running.map(({ job }) => job.endpoint.id)).toEqual(['ep_2', 'ep_2'])
    answerAll()
    await world.advance(24 * HOUR)
    expect(sent.filter((id) => id === 'ep_1')).toHaveLength(10)
    const left = await world.store.deliveries.list(sandbox, {}, 100)
    expect(left.map(({ endpoint_id, state }) => `${endpoint_id} ${state}`)).toEqual(
      Array(12).fill('ep_2 succeeded'),
    )
  })

  it('nobody waits for what still runs of it', async () => {
    const { running, send, until, answerAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(12)
    await until(10)
    const sandbox = await world.sandbox()
    await world.store.endpoints.remove(sandbox, 'ep_1')
    world.worker.forget(sandbox, 'ep_1')
    await world.advance(HOUR)
    expect(running).toHaveLength(10)
    answerAll()
  })

  it('an attempt that waits for its time is never made', async () => {
    let sent = 0
    world = await virtual(async () => {
      sent++
      return FAILED
    })
    await world.endpoint('ep_1')
    await world.emit()
    await world.worker.settled()
    const sandbox = await world.sandbox()
    await world.store.endpoints.remove(sandbox, 'ep_1')
    world.worker.forget(sandbox, 'ep_1')
    await world.advance(24 * HOUR)
    expect(sent).toBe(1)
    expect(await world.store.deliveries.list(sandbox, {}, 9)).toEqual([])
  })
})
