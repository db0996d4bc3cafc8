import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { Delivery, DeliveryFilter, Job, Outcome, Sandbox } from '../../src/store/types.ts'
import { EMPTY, endpoint, event, LATER, NOW, nextDue, outcome, type World } from './world.ts'

/** Deliveries, from their event to their last attempt. */
export function outboxContract(world: World): void {
  let store: Store
  let sandbox: Sandbox
  beforeEach(() => {
    store = world.store
    sandbox = world.sandbox
  })
  const of = world.of.bind(world)
  const claimed = world.claimed.bind(world)

  describe('a delivery', () => {
    beforeEach(async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
    })

    it('is made for each endpoint that wants its kind', async () => {
      await store.endpoints.add(
        sandbox,
        endpoint('ep_2', ['conversation.csat', 'knowledge.indexed']),
      )
      await store.endpoints.add(sandbox, endpoint('ep_3', []))
      const events = [event('evt_1'), event('evt_2', 'knowledge.indexed')]
      await store.state.commit(sandbox, { events })
      const made = await store.deliveries.list(sandbox, {}, 9)
      expect(made.map(({ event_id, endpoint_id, kind }) => [event_id, endpoint_id, kind])).toEqual([
        ['evt_2', 'ep_2', 'knowledge.indexed'],
        ['evt_2', 'ep_1', 'knowledge.indexed'],
        ['evt_1', 'ep_1', 'conversation.resolved'],
      ])
      expect(await store.deliveries.events(sandbox, 9)).toMatchObject([...events].reverse())
    })

    it('leads to its event, in its sandbox only', async () => {
      await store.state.commit(sandbox, { events: [event('evt_1'), event('evt_2')] })
      const [logged] = await store.deliveries.events(sandbox, 1)
      const [{ id = '' } = {}] = await store.deliveries.list(sandbox, {}, 1)
      expect(logged).toMatchObject(event('evt_2'))
      expect(await store.deliveries.eventOf(sandbox, id)).toEqual(logged)
      expect(await store.deliveries.eventOf(await of('b'), id)).toBeNull()
      expect(await store.deliveries.eventOf(sandbox, 'nonsense')).toBeNull()
    })

    it('is claimed once, with all that an attempt needs', async () => {
      const one = event('evt_1')
      await store.state.commit(sandbox, { events: [one] })
      const [number = 0] = await store.outbox.endpointNumbers(sandbox)
      expect(await store.outbox.firstDue(number)).toBe(NOW)
      expect(await store.outbox.claim(number, NOW - 1, 9)).toEqual([])
      const jobs = await store.outbox.claim(number, NOW, 9)
      expect(jobs).toMatchObject([
        {
          sandbox,
          endpoint: endpoint('ep_1'),
          event: { id: one.id, kind: one.kind, body: one.body },
          attempted: 0,
        },
      ])
      expect(await store.outbox.claim(number, NOW, 9)).toEqual([])
      expect(await store.outbox.firstDue(number)).toBeNull()
    })

    it('is claimed in the order of time, up to a limit', async () => {
      for (let i = 0; i < 5; i++) {
        await store.state.commit(sandbox, { events: [event(`evt_${i}`)] })
        world.clock++
      }
      const first = await claimed(sandbox, 2)
      const rest = await claimed(sandbox, 9)
      expect([...first, ...rest].map(({ event: { id } }) => id)).toEqual([
        'evt_0',
        'evt_1',
        'evt_2',
        'evt_3',
        'evt_4',
      ])
    })

    it('waits for its next attempt, which its history then shows', async () => {
      await store.state.commit(sandbox, { events: [event('evt_1')] })
      const [first] = await claimed()
      await store.outbox.record([outcome(first as Job, 'pending', NOW + 1000)])
      expect(await claimed()).toEqual([])
      expect(await nextDue(store, sandbox)).toBe(NOW + 1000)
      const [waiting] = await store.deliveries.list(sandbox, { state: 'pending' }, 9)
      expect(waiting?.due_at).toBe(NOW + 1000)
      world.clock += 1000
      const [second] = await claimed()
      expect(second?.attempted).toBe(1)
      await store.outbox.record([outcome(second as Job, 'succeeded')])
      const [delivery] = await store.deliveries.list(sandbox, { state: 'succeeded' }, 9)
      expect(delivery?.due_at).toBeNull()
      expect(delivery?.attempts).toEqual([
        outcome(first as Job, 'pending').attempt,
        outcome(second as Job, 'succeeded').attempt,
      ])
      expect(await nextDue(store, sandbox)).toBeNull()
      expect(await store.deliveries.get(sandbox, delivery?.id ?? '')).toEqual(delivery)
    })

    it('comes sooner when the clock of its sandbox is advanced, and of that one alone', async () => {
      const other = await of('b', { ...EMPTY, endpoints: [endpoint('ep_1')] })
      for (const one of [sandbox, other]) {
        await store.state.commit(one, { events: [event('evt_1')] })
        const [job] = await claimed(one)
        await store.outbox.record([outcome(job as Job, 'pending', NOW + 1000)])
      }
      const ahead = await store.sandboxes.advance(sandbox, 400)
      expect(ahead).toEqual({ ...sandbox, offset: 400 })
      expect(await of('a')).toEqual(ahead)
      const [number = 0] = await store.outbox.endpointNumbers(sandbox)
      expect(await store.outbox.firstDue(number)).toBe(NOW + 600)
      expect(await nextDue(store, ahead)).toBe(NOW + 600)
      expect(await nextDue(store, other)).toBe(NOW + 1000)
      await store.sandboxes.advance(ahead, 600)
      expect(await claimed(other)).toEqual([])
      const [job] = await claimed()
      expect(job?.sandbox.offset).toBe(1000)
      // Deliveries from now on use the advanced clock too.
      await store.outbox.record([outcome(job as Job, 'pending', NOW + 50)])
      expect(await nextDue(store, ahead)).toBe(NOW + 50)
      await store.state.commit(ahead, { events: [event('evt_2')] })
      expect(await nextDue(store, ahead)).toBe(NOW)
    })

    it('has a new cycle when it is replayed, unless it is pending', async () => {
      await store.state.commit(sandbox, {
        events: ['evt_1', 'evt_2', 'evt_3'].map((id) => event(id)),
      })
      const [one, two] = await claimed()
      await store.outbox.record([outcome(one as Job, 'dead'), outcome(two as Job, 'succeeded')])
      expect(await store.deliveries.replay(sandbox, {}, NOW)).toBe(2)
      const again = await claimed()
      expect(again.map(({ event: { id }, attempted }) => [id, attempted])).toEqual([
        ['evt_1', 0],
        ['evt_2', 0],
      ])
      await store.outbox.record(again.map((job) => outcome(job, 'dead')))
      const dead = await store.deliveries.list(sandbox, { state: 'dead' }, 9)
      expect(dead.map(({ attempts }) => attempts.length)).toEqual([2, 2])
      expect(await store.deliveries.replay(sandbox, { id: dead[0]?.id ?? '' }, NOW)).toBe(1)
      expect(await store.deliveries.replay(sandbox, { id: dead[0]?.id ?? '' }, NOW)).toBe(0)
      expect(await store.deliveries.replay(sandbox, { id: 'dlv_999' }, NOW)).toBe(0)
      expect(await store.deliveries.replay(sandbox, { id: 'nonsense' }, NOW)).toBe(0)
    })

    it('is found and replayed by state, kind and endpoint', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_2'))
      const events = [event('evt_1', 'conversation.csat'), event('evt_2', 'knowledge.indexed')]
      await store.state.commit(sandbox, { events })
      await store.outbox.record((await claimed()).map((job) => outcome(job, 'dead')))
      const found = async (filter: object) =>
        (await store.deliveries.list(sandbox, filter, 9)).map(
          ({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`,
        )
      expect(await found({ state: 'succeeded' })).toEqual([])
      expect(await found({ kind: 'conversation.csat' })).toEqual(['evt_1 ep_2', 'evt_1 ep_1'])
      expect(await found({ endpoint: 'ep_1' })).toEqual(['evt_2 ep_1', 'evt_1 ep_1'])
      const filter = { state: 'dead', kind: 'knowledge.indexed', endpoint: 'ep_2' } as const
      expect(await found(filter)).toEqual(['evt_2 ep_2'])
      expect(await store.deliveries.replay(sandbox, filter, NOW)).toBe(1)
      expect(await found({ state: 'pending' })).toEqual(['evt_2 ep_2'])
    })

    it('is found after a newer one, even if more are added', async () => {
      const add = async (...ids: string[]) =>
        store.state.commit(sandbox, { events: ids.map((id) => event(id)) })
      const list = async (filter: DeliveryFilter, limit: number, before?: string) =>
        store.deliveries.list(sandbox, filter, limit, before)
      const events = (found: Delivery[]) => found.map(({ event_id }) => event_id)
      await add('evt_1', 'evt_2', 'evt_3', 'evt_4')
      const [, two, , four] = await claimed()
      await store.outbox.record([two, four].map((job) => outcome(job as Job, 'dead')))
      const newest = await list({}, 2)
      expect(events(newest)).toEqual(['evt_4', 'evt_3'])
      await add('evt_5')
      const before = newest.at(-1)?.id
      expect(events(await list({}, 9, before))).toEqual(['evt_2', 'evt_1'])
      expect(events(await list({}, 1, before))).toEqual(['evt_2'])
      expect(events(await list({ state: 'dead' }, 9, before))).toEqual(['evt_2'])
      expect(events(await list({ state: 'pending' }, 9, before))).toEqual(['evt_1'])
      expect(await list({}, 9, 'dlv_0')).toEqual([])
    })

    it('is counted by its state, up to a limit', async () => {
      const other = await of('b', { ...EMPTY, endpoints: [endpoint('ep_1')] })
      for (const one of [sandbox, other]) {
        await store.state.commit(one, {
          events: ['evt_1', 'evt_2', 'evt_3'].map((id) => event(id)),
        })
      }
      const [job] = await claimed()
      await store.outbox.record([outcome(job as Job, 'dead')])
      expect(await store.deliveries.count(sandbox, { state: 'dead' }, 9)).toBe(1)
      expect(await store.deliveries.count(sandbox, { state: 'pending' }, 9)).toBe(2)
      expect(await store.deliveries.count(sandbox, { state: 'pending' }, 1)).toBe(1)
      expect(await store.deliveries.count(sandbox, { state: 'succeeded' }, 9)).toBe(0)
      const statistics = { endpoint_id: 'ep_1', pending: 2, succeeded: 0, dead: 1 }
      expect(await store.deliveries.statistics(sandbox, 9)).toEqual([statistics])
      expect(await store.deliveries.statistics(await of('c'), 9)).toEqual([])
    })

    it('is chosen by its event and by the time of that', async () => {
      const events = [1, 2, 3].map((hour) => ({
        ...event(`evt_${hour}`, hour === 2 ? 'conversation.csat' : undefined),
        occurredAt: NOW + hour,
      }))
      await store.state.commit(sandbox, { events })
      for (const [filter, chosen] of [
        [{ event: 'evt_2' }, ['evt_2']],
        [{ mention: '"evt_2"' }, ['evt_2']],
        [{ kind: 'conversation.csat' }, ['evt_2']],
        [{ since: NOW + 2 }, ['evt_3', 'evt_2']],
        [{ until: NOW + 2 }, ['evt_1']],
        [{ since: NOW + 2, until: NOW + 2 }, []],
      ] as const) {
        const listed = await store.deliveries.list(sandbox, filter, 9)
        expect(listed.map(({ event_id }) => event_id)).toEqual(chosen)
        expect(await store.deliveries.count(sandbox, filter, 9)).toBe(chosen.length)
        const logged = await store.deliveries.events(sandbox, 9, undefined, null, filter)
        expect(logged.map(({ id }) => id)).toEqual(chosen)
      }
    })

    it('has the newest secret of its endpoint', async () => {
      await store.state.commit(sandbox, { events: [event('evt_1')] })
      expect(await store.endpoints.changeSecret(sandbox, 'ep_1', 'whsec_new')).toBe(true)
      expect(await store.endpoints.changeSecret(sandbox, 'ep_0', 'whsec_new')).toBe(false)
      expect((await claimed())[0]?.endpoint.secret).toBe('whsec_new')
    })
  })

  describe('an endpoint that is removed', () => {
    beforeEach(async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.commit(sandbox, {
        events: ['evt_1', 'evt_2', 'evt_3'].map((id) => event(id)),
      })
    })

    it('is removed with its deliveries in every state, without the events', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_2'))
      await store.state.commit(sandbox, { events: [event('evt_4')] })
      const [one, two] = await claimed(sandbox, 2)
      await store.outbox.record([outcome(one as Job, 'dead'), outcome(two as Job, 'succeeded')])
      expect(await store.endpoints.remove(sandbox, 'ep_1')).toBe(true)
      expect(await store.endpoints.remove(sandbox, 'ep_1')).toBe(false)
      const left = await store.deliveries.list(sandbox, {}, 9)
      expect(left.map(({ event_id, endpoint_id }) => [event_id, endpoint_id])).toEqual([
        ['evt_4', 'ep_2'],
      ])
      for (const { id = '' } of [one, two] as Job[]) {
        expect([
          await store.deliveries.get(sandbox, id),
          await store.deliveries.eventOf(sandbox, id),
        ]).toEqual([null, null])
        expect(await store.deliveries.replay(sandbox, { id }, NOW)).toBe(0)
      }
      const counts = (['pending', 'dead', 'succeeded'] as const).map((state) =>
        store.deliveries.count(sandbox, { state }, 9),
      )
      expect(await Promise.all(counts)).toEqual([1, 0, 0])
      expect(await store.endpoints.list(sandbox)).toMatchObject([{ id: 'ep_2' }])
      expect(await store.deliveries.events(sandbox, 9)).toHaveLength(4)
    })

    it('has no due deliveries, and gets no new ones', async () => {
      const [number = 0] = await store.outbox.endpointNumbers(sandbox)
      await store.endpoints.remove(sandbox, 'ep_1')
      await store.state.commit(sandbox, { events: [event('evt_4')] })
      expect(await store.outbox.endpointNumbers(sandbox)).toEqual([])
      expect(await store.outbox.firstDue(number)).toBeNull()
      expect(await store.outbox.claim(number, NOW, 9)).toEqual([])
      expect(await nextDue(store, sandbox)).toBeNull()
      expect(await store.deliveries.list(sandbox, {}, 9)).toEqual([])
    })

    it('drops the outcomes of its claimed deliveries, and can be added again', async () => {
      const jobs = await claimed(sandbox, 2)
      await store.endpoints.remove(sandbox, 'ep_1')
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.outbox.record(jobs.map((job) => outcome(job, 'pending', NOW)))
      expect(await store.deliveries.list(sandbox, {}, 9)).toEqual([])
      await store.state.commit(sandbox, { events: [event('evt_4')] })
      expect((await claimed()).map(({ event: { id } }) => id)).toEqual(['evt_4'])
    })

    it('belongs to its sandbox alone', async () => {
      const other = await of('b', { ...EMPTY, endpoints: [endpoint('ep_1')] })
      await store.state.commit(other, { events: [event('evt_1')] })
      expect(await store.endpoints.remove(await of('c'), 'ep_1')).toBe(false)
      await store.endpoints.remove(sandbox, 'ep_1')
      expect(await store.deliveries.list(other, {}, 9)).toHaveLength(1)
      expect(await claimed(other)).toHaveLength(1)
    })

    it('does not keep a sandbox from making room for another', async () => {
      await store.endpoints.remove(sandbox, 'ep_1')
      for (let i = 0; i < 999; i++) await of(`k${i}`)
      await of('new')
      expect(await of('a')).not.toEqual(sandbox)
    })

    it('is still gone when the data is opened again', async () => {
      await store.endpoints.remove(sandbox, 'ep_1')
      if (!(await world.reopen())) return
      store = world.store
      await store.prune(NOW)
      expect(await store.endpoints.list(await of('a'))).toEqual([])
      expect(await store.deliveries.list(await of('a'), {}, 9)).toEqual([])
      expect(await store.deliveries.events(await of('a'), 9)).toHaveLength(3)
    })
  })

  it('events are found before a position, even if more are added', async () => {
    const add = (id: string, one = sandbox) => store.state.commit(one, { events: [event(id)] })
    const ids = async (limit: number, before?: number) =>
      (await store.deliveries.events(sandbox, limit, before)).map(({ id }) => id)
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await add(id)
    await add('evt_0', await of('b'))
    const position = (await store.deliveries.events(sandbox, 2)).at(-1)?.position
    await add('evt_4')
    expect(await ids(9, position)).toEqual(['evt_1'])
    expect(await ids(2)).toEqual(['evt_4', 'evt_3'])
    expect(await ids(9, 0)).toEqual([])
  })

  describe('old data', () => {
    it('is removed where it is finished, and never where it is pending or dead', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.endpoints.add(sandbox, endpoint('ep_2', ['conversation.csat']))
      await store.state.commit(sandbox, {
        events: [event('evt_done'), event('evt_dead'), event('evt_mixed', 'conversation.csat')],
      })
      await store.state.commit(sandbox, { events: [event('evt_pending')] })
      await store.state.commit(await of('b'), { events: [event('evt_nobody')] })
      const ends: Record<string, Outcome['state']> = {
        'evt_done ep_1': 'succeeded',
        'evt_dead ep_1': 'dead',
        'evt_mixed ep_1': 'succeeded',
        'evt_mixed ep_2': 'dead',
      }
      await store.outbox.record(
        (await claimed()).flatMap((job) => {
          const state = ends[`${job.event.id} ${job.endpoint.id}`]
          return state ? [outcome(job, state)] : []
        }),
      )
      await store.state.claimKey(sandbox, 'message k', 'f')
      await store.state.commit(sandbox, {
        remembered: { scope: 'message k', status: 201, body: '' },
      })
      world.clock = LATER
      await store.state.commit(sandbox, { events: [event('evt_new')] })
      expect(await store.prune(NOW)).toBe(0)
      expect(await store.prune(LATER)).toBe(3)
      expect((await store.deliveries.events(sandbox, 9)).map(({ id }) => id)).toEqual([
        'evt_new',
        'evt_pending',
        'evt_mixed',
        'evt_dead',
      ])
      expect(await store.deliveries.events(await of('b'), 9)).toEqual([])
      expect(await store.state.claimKey(sandbox, 'message k', 'g')).toEqual({ state: 'new' })
      expect(await store.prune(LATER)).toBe(0)
    })

    it('is removed in any amount', async () => {
      for (let i = 0; i < 5; i++) {
        const events = Array.from({ length: 700 }, (_, k) => event(`evt_${i}_${k}`))
        await store.state.commit(sandbox, { events })
      }
      expect(await store.prune(LATER)).toBe(3500)
      expect(await store.deliveries.events(sandbox, 9)).toEqual([])
    })

    it('is removed with the endpoint that it was kept for', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.commit(sandbox, { events: [event('evt_1')] })
      await store.prune(LATER)
      expect(await store.deliveries.events(sandbox, 9)).toHaveLength(1)
      await store.endpoints.remove(sandbox, 'ep_1')
      await store.prune(LATER)
      expect(await store.deliveries.events(sandbox, 9)).toEqual([])
    })
  })
}
