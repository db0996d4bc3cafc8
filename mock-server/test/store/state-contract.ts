import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { Conflict, type Job, type Sandbox, type Seed } from '../../src/store/types.ts'
import {
  conversation,
  DAY,
  EMPTY,
  endpoint,
  event,
  NOW,
  nextDue,
  outcome,
  transcriptOf,
  type World,
} from './world.ts'

/** Sandboxes, their contents, and how long they are kept. */
export function stateContract(world: World): void {
  let store: Store
  let sandbox: Sandbox
  beforeEach(() => {
    store = world.store
    sandbox = world.sandbox
  })
  const of = world.of.bind(world)
  const claimed = world.claimed.bind(world)
  const states = world.states.bind(world)

  describe('a sandbox', () => {
    it('is created from its seed once', async () => {
      const seed: Seed = {
        conversations: [
          {
            conversation: conversation('conv_1', -1),
            messages: [{ id: 'msg_1', conversationId: 'conv_1', json: '{"a":1}' }],
          },
        ],
        sources: [{ id: 'src_1', json: '{"s":1}', due: null }],
        endpoints: [endpoint('ep_1')],
      }
      const made = await of('seeded', seed)
      const never = () => {
        throw new Error('seeded twice')
      }
      expect(await store.sandboxes.get('seeded', never)).toEqual(made)
      expect(await store.state.conversation(made, 'conv_1')).toEqual(conversation('conv_1', -1))
      expect(await transcriptOf(store, made)).toBe('{"a":1}')
      expect(await store.state.source(made, 'src_1')).toMatchObject({ json: '{"s":1}', due: null })
      expect(await store.endpoints.list(made)).toEqual([endpoint('ep_1')])
      expect(await store.state.counts(made, 10)).toMatchObject({ conversations: 1 })
    })

    it('has no data of another sandbox', async () => {
      const other = await of('b')
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.commit(sandbox, {
        conversation: conversation('conv_1', 1),
        events: [event('evt_1')],
      })
      expect(await store.state.conversation(other, 'conv_1')).toBeNull()
      expect(await store.state.conversations(other, { before: 99, limit: 9 })).toEqual([])
      expect(await store.deliveries.events(other, 9)).toEqual([])
      expect(await store.endpoints.list(other)).toEqual([])
      expect(await states(other)).toEqual([])
      const [delivery] = await store.deliveries.list(sandbox, {}, 1)
      expect(await store.deliveries.get(other, delivery?.id ?? '')).toBeNull()
      expect(await store.deliveries.replay(other, { id: delivery?.id ?? '' }, NOW)).toBe(0)
      expect(await store.endpoints.changeSecret(other, 'ep_1', 'x')).toBe(false)
    })

    it('is empty after a reset, with the real time and numbers from the beginning', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.numbers(sandbox, 5)
      const event1 = event('evt_1')
      await store.state.commit(sandbox, {
        conversation: conversation('conv_1', 1),
        events: [event1],
      })
      await store.state.claimKey(sandbox, 'message k', 'f')
      await store.state.commit(sandbox, {
        remembered: { scope: 'message k', status: 201, body: '{}' },
      })
      const ahead = await store.sandboxes.advance(sandbox, DAY)
      const jobs = await claimed()
      await store.sandboxes.reset(ahead, EMPTY)
      const after = await of('a')
      expect(after).toEqual({ id: sandbox.id, offset: 0, generation: sandbox.generation + 1 })
      expect(await store.state.conversation(after, 'conv_1')).toBeNull()
      expect(await store.deliveries.events(after, 9)).toEqual([])
      expect(await states(after)).toEqual([])
      expect(await store.state.counts(after, 9)).toMatchObject({ conversations: 0, intents: [] })
      expect(await store.state.numbers(after, 1)).toBe(1)
      expect(await store.state.claimKey(after, 'message k', 'other')).toEqual({ state: 'new' })
      // The outcomes of attempts that ran meanwhile have no row.
      await store.outbox.record(jobs.map((job) => outcome(job, 'succeeded')))
      expect(await states(after)).toEqual([])
    })

    it('stays as it was where a part of a change fails', async () => {
      const before = conversation('conv_1', 1)
      const message = { id: 'msg_1', conversationId: 'conv_1', json: '1' }
      await store.state.commit(sandbox, { conversation: before, messages: [message] })
      const unwritable = { ...event('evt_1'), body: undefined as unknown as string }
      const change = {
        conversation: conversation('conv_1', 2, { status: 'resolved' }),
        before,
        messages: [message],
        events: [unwritable],
      }
      await expect(store.state.commit(sandbox, change)).rejects.toThrow()
      expect(await store.state.conversation(sandbox, 'conv_1')).toEqual(before)
      await store.state.commit(sandbox, { messages: [{ ...message, json: '2' }] })
      expect(await transcriptOf(store, sandbox)).toBe('1,2')
    })

    it('has the messages of a conversation piece by piece', async () => {
      const messages = [1, 2, 3, 4, 5].map((number) => {
        return { id: `msg_${number}`, conversationId: 'conv_1', json: String(number) }
      })
      await store.state.commit(sandbox, { conversation: conversation('conv_1', 1), messages })
      const shown = async (limit: number, before?: number) => {
        const { messages, total } = await store.state.messages(sandbox, 'conv_1', limit, before)
        return [total, ...messages.map(({ number, json }) => `${number}:${json}`)]
      }
      expect(await shown(2)).toEqual([5, '4:4', '5:5'])
      expect(await shown(2, 4)).toEqual([5, '2:2', '3:3'])
      expect(await shown(2, 1)).toEqual([5])
      expect(await store.state.messages(sandbox, 'conv_2', 9)).toEqual({ messages: [], total: 0 })
    })

    it('has a version that each change of its state makes a new one', async () => {
      const seen = [store.state.version(sandbox)]
      // Where other processes change it too, no process knows one.
      if (seen[0] === null) return
      await store.state.commit(sandbox, { conversation: conversation('conv_1', 1) })
      seen.push(store.state.version(sandbox))
      await store.state.conversation(sandbox, 'conv_1')
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      expect(store.state.version(sandbox)).toBe(seen.at(-1))
      await store.sandboxes.reset(sandbox, EMPTY)
      seen.push(store.state.version(sandbox))
      await store.state.commit(await of('b'), { conversation: conversation('conv_1', 1) })
      expect(store.state.version(sandbox)).toBe(seen.at(-1))
      expect(new Set(seen).size).toBe(3)
    })

    it('gives endpoints numbers that were never used', async () => {
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      const before = await store.outbox.endpointNumbers(sandbox)
      await store.sandboxes.reset(sandbox, EMPTY)
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      expect(await store.outbox.endpointNumbers(sandbox)).not.toEqual(before)
    })

    it('makes room when it is the least recently used and has no pending deliveries', async () => {
      // `a` is the first of a thousand, with a pending delivery.
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.commit(sandbox, { events: [event('evt_1')] })
      const first = await of('k0')
      await store.state.commit(first, { conversation: conversation('conv_1', 1) })
      for (let i = 1; i < 999; i++) await of(`k${i}`)
      await of('k1')
      const used = await of('k0')
      expect(used.id).toBe(first.id)
      await of('one too many')
      // k2 was removed, since k1 and k0 were used after it.
      expect(await store.state.conversation(await of('k0'), 'conv_1')).not.toBeNull()
      expect((await of('a')).id).toBe(sandbox.id)
      expect(await states()).toEqual([['evt_1', 'pending']])
    })

    it('is refused where all others have pending or dead deliveries', async () => {
      for (let i = 1; i < 1000; i++) {
        await of(`k${i}`, { ...EMPTY, endpoints: [endpoint('ep_1')] })
      }
      for (let i = 1; i < 1000; i++)
        await store.state.commit(await of(`k${i}`), { events: [event('evt_1')] })
      await store.endpoints.add(sandbox, endpoint('ep_1'))
      await store.state.commit(sandbox, { events: [event('evt_1')] })
      const [job] = await claimed()
      await store.outbox.record([outcome(job as Job, 'dead')])
      expect(await store.sandboxes.get('one too many', () => EMPTY)).toBeNull()
      expect(await store.deliveries.replay(sandbox, { state: 'dead' }, NOW)).toBe(1)
      const [again] = await claimed()
      await store.outbox.record([outcome(again as Job, 'succeeded')])
      expect(await store.sandboxes.get('one too many', () => EMPTY)).not.toBeNull()
    })
  })

  describe('a commit', () => {
    it('is refused after another change of the conversation, and changes nothing', async () => {
      const first = conversation('conv_1', 1)
      await store.state.commit(sandbox, { conversation: first, before: null })
      const change = {
        conversation: conversation('conv_1', 3, { status: 'resolved' }),
        messages: [{ id: 'msg_1', conversationId: 'conv_1', json: '{}' }],
        events: [event('evt_1')],
      }
      const others = [conversation('conv_1', 0), conversation('conv_1', 2)]
      for (const before of [null, ...others]) {
        await expect(store.state.commit(sandbox, { ...change, before })).rejects.toThrow(Conflict)
      }
      expect(await store.state.conversation(sandbox, 'conv_1')).toEqual(first)
      expect(await transcriptOf(store, sandbox)).toBe('')
      expect(await store.deliveries.events(sandbox, 9)).toEqual([])
      await store.state.commit(sandbox, { ...change, before: first })
      expect(await store.deliveries.events(sandbox, 9)).toHaveLength(1)
    })

    it('keeps everything of a conversation', async () => {
      const full = conversation('conv_1', 1, {
        status: 'handed_off',
        intent: 'shipping',
        handoff: { reason: 'é', requestedAt: NOW },
        rating: 5,
      })
      await store.state.commit(sandbox, { conversation: full })
      expect(await store.state.conversation(sandbox, 'conv_1')).toEqual(full)
      expect(await store.state.counts(sandbox, 9)).toEqual({
        conversations: 1,
        deflected: 0,
        intents: [{ intent: 'shipping', count: 1 }],
      })
    })

    it('keeps messages in their order', async () => {
      await store.state.commit(sandbox, { conversation: conversation('conv_1', 1) })
      for (let i = 0; i < 12; i++) {
        const messages = [{ id: `msg_${i}`, conversationId: 'conv_1', json: `${i}` }]
        await store.state.commit(sandbox, { messages })
      }
      expect(await transcriptOf(store, sandbox)).toBe('0,1,2,3,4,5,6,7,8,9,10,11')
    })

    it('lists conversations by their position, those of a status alone too', async () => {
      for (let i = 1; i <= 5; i++) {
        const status = i % 2 ? 'open' : 'resolved'
        await store.state.commit(sandbox, {
          conversation: conversation(`conv_${i}`, i, { status }),
        })
      }
      const list = async (options: { statuses?: string[]; before: number; limit: number }) =>
        (await store.state.conversations(sandbox, options)).map(({ position }) => position)
      expect(await list({ before: 99, limit: 2 })).toEqual([5, 4])
      expect(await list({ before: 4, limit: 9 })).toEqual([3, 2, 1])
      expect(await list({ statuses: ['open'], before: 5, limit: 9 })).toEqual([3, 1])
    })
  })

  describe('an idempotency key', () => {
    const done = { scope: 'message k', status: 201, body: '{"id":"é"}' }

    it('is claimed once until it is released', async () => {
      const claim = (fingerprint: string) => store.state.claimKey(sandbox, 'message k', fingerprint)
      expect(await claim('f')).toEqual({ state: 'new' })
      expect(await claim('f')).toEqual({ state: 'running' })
      expect(await claim('g')).toEqual({ state: 'other' })
      await store.state.releaseKey(sandbox, 'message k')
      expect(await claim('g')).toEqual({ state: 'new' })
    })

    it('has a response once that is committed', async () => {
      await store.state.claimKey(sandbox, 'message k', 'f')
      await store.state.commit(sandbox, { remembered: done })
      await store.state.releaseKey(sandbox, 'message k')
      expect(await store.state.claimKey(sandbox, 'message k', 'f')).toEqual({
        state: 'done',
        ...done,
      })
      expect(await store.state.claimKey(sandbox, 'message k', 'g')).toEqual({ state: 'other' })
      expect(await store.state.claimKey(await of('b'), 'message k', 'g')).toEqual({ state: 'new' })
    })
  })

  describe('a source', () => {
    it('is found when it is due by the advanced clock of its sandbox', async () => {
      const source = { id: 'src_1', json: '{}', due: NOW + 1000 }
      await store.state.commit(sandbox, { source })
      expect(await store.outbox.firstSourceDue()).toBe(NOW + 1000)
      expect(await nextDue(store, sandbox)).toBe(NOW + 1000)
      expect(await store.outbox.dueSources(NOW + 999, 9)).toEqual([])
      expect(await store.outbox.dueSources(NOW + 1000, 9)).toEqual([{ sandbox, source }])
      const ahead = await store.sandboxes.advance(sandbox, 400)
      expect(await store.outbox.firstSourceDue()).toBe(NOW + 600)
      expect(await store.outbox.dueSources(NOW + 600, 9)).toEqual([
        { sandbox: ahead, source: { ...source, due: NOW + 600 } },
      ])
      await store.state.commit(sandbox, { source: { ...source, due: null } })
      expect(await store.outbox.firstSourceDue()).toBeNull()
    })

    it('gets its next state once, with its event', async () => {
      const source = { id: 'src_1', json: '{}', due: NOW }
      await store.state.commit(sandbox, { source })
      const next = { source: { ...source, json: '{"s":1}', due: null }, sourceBefore: source }
      await store.state.commit(sandbox, { ...next, events: [event('evt_1')] })
      const again = store.state.commit(sandbox, { ...next, events: [event('evt_2')] })
      await expect(again).rejects.toThrow(Conflict)
      expect(await store.state.source(sandbox, 'src_1')).toEqual(next.source)
      expect(await store.deliveries.events(sandbox, 9)).toMatchObject([{ id: 'evt_1' }])
    })
  })

  it('a clock that was read before a reset cannot be advanced', async () => {
    await store.sandboxes.reset(sandbox, EMPTY)
    const now = await of('a')
    expect(await store.sandboxes.advance(sandbox, DAY)).toEqual(now)
    expect(now).toMatchObject({ offset: 0, generation: sandbox.generation + 1 })
    expect(await of('a')).toEqual(now)
  })

  it('numbers are never reused', async () => {
    const first = await store.state.numbers(sandbox, 3)
    expect(await store.state.numbers(sandbox, 1)).toBe(first + 3)
    expect(await store.state.numbers(await of('b'), 1)).toBe(first)
  })

  it('everything is there when the data is opened again', async () => {
    await store.endpoints.add(sandbox, endpoint('ep_1'))
    const number = await store.state.numbers(sandbox, 2)
    await store.endpoints.add(sandbox, endpoint('ep_2', []))
    await store.state.commit(sandbox, {
      conversation: conversation('conv_1', 1),
      messages: [{ id: 'msg_1', conversationId: 'conv_1', json: '{}' }],
      events: [event('evt_1')],
    })
    await store.state.claimKey(sandbox, 'message k', 'f')
    const ahead = await store.sandboxes.advance(sandbox, DAY)
    await claimed()
    if (!(await world.reopen())) return
    store = world.store
    expect(await of('a')).toEqual(ahead)
    expect(await store.state.conversation(ahead, 'conv_1')).toEqual(conversation('conv_1', 1))
    expect(await transcriptOf(store, ahead)).toBe('{}')
    expect(await store.endpoints.list(ahead)).toEqual([endpoint('ep_1'), endpoint('ep_2', [])])
    expect(await store.state.numbers(ahead, 1)).toBeGreaterThan(number + 1)
    // The process that had claimed these is gone.
    expect(await store.state.claimKey(ahead, 'message k', 'g')).toEqual({ state: 'new' })
    expect((await claimed(ahead)).map(({ event: { id } }) => id)).toEqual(['evt_1'])
  })
}
