/** Claimed deliveries when their endpoint changes, or their endpoint or sandbox is removed. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { held } from './held.ts'
import { EMPTY, FAILED, gate, OK, type Virtual, virtual } from './virtual.ts'

const HOUR = 3_600_000
let world: Virtual
afterEach(() => world.close())

/** How often each item occurs. */
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

  it('deliveries that are claimed meanwhile are signed with the new one', async () => {
    const secrets: string[] = []
    world = await virtual(async ({ endpoint }) => {
      secrets.push(endpoint.secret)
      return OK
    })
    await world.endpoint('ep_1')
    const { outbox } = world.store
    const claim = outbox.claim.bind(outbox)
    vi.spyOn(outbox, 'claim').mockImplementationOnce(async (...args) => {
      const jobs = await claim(...args)
      await rotate('ep_1')
      return jobs
    })
    await world.emit(3)
    await world.worker.settled()
    expect(secrets).toEqual(Array(3).fill('whsec_new'))
  })
})

describe('when a sandbox is reset', () => {
  /** Fifty deliveries, of which ten run until they get a response. */
  async function tenRunning() {
    const { send, ...parts } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(50)
    await parts.until(10)
    return { ...parts, sandbox: await world.sandbox() }
  }

  it('waiting deliveries are dropped, and so are the results of running attempts', async () => {
    const { running, respondToAll, sandbox } = await tenRunning()
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.drop(sandbox)
    respondToAll()
    await world.worker.settled()
    expect(running).toHaveLength(0)
    expect(await world.store.deliveries.list(sandbox, {}, 10)).toEqual([])
  })

  it('only stopping the worker waits for its running attempts', async () => {
    const { running, respondToAll, sandbox } = await tenRunning()
    const waited = world.worker.settled(sandbox)
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.drop(sandbox)
    await waited
    await world.worker.settled(sandbox)
    expect(running).toHaveLength(10)
    let isStopped = false
    const stopped = world.worker.stop().then(() => {
      isStopped = true
    })
    await new Promise(setImmediate)
    expect(isStopped).toBe(false)
    respondToAll()
    await stopped
  })

  it('a new endpoint of it may run ten attempts at once while old ones still run', async () => {
    const { running, until, respondToAll, sandbox } = await tenRunning()
    await world.store.sandboxes.reset(sandbox, EMPTY)
    world.worker.drop(sandbox)
    await world.endpoint('ep_1')
    await world.emit(50)
    await until(20)
    expect(running).toHaveLength(20)
    const stopped = world.worker.stop()
    respondToAll()
    await stopped
  })

  it('a running advance stops and does not change its new clock', async () => {
    const { send, until, respondToAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit()
    const before = await world.sandbox()
    const passing = world.advance(24 * HOUR)
    await until(1)
    respondToAll(FAILED)
    // The second attempt, a quarter of an hour later.
    await until(1)
    await world.store.sandboxes.reset(before, EMPTY)
    world.worker.drop(before)
    await passing
    expect(await world.sandbox()).toEqual({ ...before, offset: 0, generation: 1 })
    expect(await world.store.sandboxes.get('a', () => EMPTY)).toEqual(await world.sandbox())
    respondToAll()
  })
})

describe('when an endpoint is removed', () => {
  it('its waiting deliveries are dropped, and so are the results of running attempts. Others continue', async () => {
    const { running, send, until, respondToAll } = held()
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
    world.worker.drop(sandbox, 'ep_1')
    for (const { job, respond } of [...running]) respond(job.endpoint.id === 'ep_1' ? FAILED : OK)
    await until(2)
    expect(running.map(({ job }) => job.endpoint.id)).toEqual(['ep_2', 'ep_2'])
    respondToAll()
    await world.advance(24 * HOUR)
    expect(sent.filter((id) => id === 'ep_1')).toHaveLength(10)
    const left = await world.store.deliveries.list(sandbox, {}, 100)
    expect(left.map(({ endpoint_id, state }) => `${endpoint_id} ${state}`)).toEqual(
      Array(12).fill('ep_2 succeeded'),
    )
  })

  it('no call waits for its running attempts', async () => {
    const { running, send, until, respondToAll } = held()
    world = await virtual(send)
    await world.endpoint('ep_1')
    await world.emit(12)
    await until(10)
    const sandbox = await world.sandbox()
    await world.store.endpoints.remove(sandbox, 'ep_1')
    world.worker.drop(sandbox, 'ep_1')
    await world.advance(HOUR)
    expect(running).toHaveLength(10)
    respondToAll()
  })

  it('an attempt that is not due yet is never made', async () => {
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
    world.worker.drop(sandbox, 'ep_1')
    await world.advance(24 * HOUR)
    expect(sent).toBe(1)
    expect(await world.store.deliveries.list(sandbox, {}, 9)).toEqual([])
  })
})
