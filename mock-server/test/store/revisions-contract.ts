import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import type { Sandbox } from '../../src/store/types.ts'
import { EMPTY, endpoint, event, type World } from './world.ts'

/** What endpoints, keys and events have to do with the revisions of a contract. */
export function revisionsContract(world: World): void {
  let store: Store
  let sandbox: Sandbox
  beforeEach(() => {
    store = world.store
    sandbox = world.sandbox
  })

  describe('a revision', () => {
    beforeEach(async () => {
      await store.endpoints.add(sandbox, endpoint('ep_first'))
      await store.endpoints.add(sandbox, { ...endpoint('ep_b'), revision: 'b' })
      await store.endpoints.add(sandbox, { ...endpoint('ep_lost'), revision: 'lost' })
    })
    const emit = async () => {
      const others = ['b', 'c']
      const events = [
        { ...event('evt_1', 'old.kind'), others },
        { ...event('evt_1', 'new.kind'), revision: 'b' },
        { ...event('evt_1', 'newest.kind'), revision: 'c' },
      ]
      await store.state.commit(sandbox, { events })
    }

    it('has the events of its endpoints; the first one has those of all that are not served', async () => {
      await emit()
      const jobs = await world.claimed()
      const made = jobs.map(({ endpoint: { id }, event }) => [id, event.kind, event.revision])
      expect(made.sort()).toEqual([
        ['ep_b', 'new.kind', 'b'],
        ['ep_first', 'old.kind', null],
        ['ep_lost', 'old.kind', null],
      ])
      const logged = async (revision?: string) =>
        (await store.deliveries.events(sandbox, 9, undefined, revision)).map(({ kind }) => kind)
      expect([await logged(), await logged('b'), await logged('c'), await logged('d')]).toEqual([
        ['old.kind'],
        ['new.kind'],
        ['newest.kind'],
        [],
      ])
    })

    it('is chosen by a key until it is dropped, and a reset keeps it', async () => {
      expect(await store.sandboxes.revision('a')).toBeNull()
      await store.sandboxes.choose(sandbox, 'b')
      await store.sandboxes.reset(sandbox, EMPTY)
      expect(await store.sandboxes.revision('a')).toBe('b')
      expect(await store.sandboxes.revision('other')).toBeNull()
      if (await world.reopen()) expect(await world.store.sandboxes.revision('a')).toBe('b')
      await world.store.sandboxes.choose(sandbox, null)
      expect(await world.store.sandboxes.revision('a')).toBeNull()
    })

    it('is renamed everywhere, and two may exchange their names', async () => {
      await store.sandboxes.choose(sandbox, 'c')
      await emit()
      expect(await store.revisions()).toEqual(['b', 'c', 'lost'])
      const names = { b: 'c', c: 'b', other: 'x' }
      await store.renameRevisions(new Map(Object.entries(names)))
      expect(await store.sandboxes.revision('a')).toBe('b')
      const endpoints = await store.endpoints.list(sandbox)
      expect(endpoints.map(({ revision }) => revision)).toEqual([undefined, 'c', 'lost'])
      const [renamed] = await store.deliveries.events(sandbox, 9, undefined, 'c')
      expect(renamed?.kind).toBe('new.kind')
    })

    it('is changed for an endpoint, with its kinds', async () => {
      await store.endpoints.change(sandbox, 'ep_b', { kinds: ['newest.kind'], revision: 'c' })
      await emit()
      const jobs = await world.claimed()
      expect(jobs.find(({ endpoint: { id } }) => id === 'ep_b')?.event.kind).toBe('newest.kind')
    })
  })
}
