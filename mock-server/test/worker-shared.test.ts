/** What the worker does beside other processes: a store of its own that says what they would do. */
import { expect, it } from 'vitest'
import type { Result } from '../src/delivery/sender.ts'
import type { Observer, OutboxStore } from '../src/store/store.ts'
import type { Job } from '../src/store/types.ts'
import { gate, OK, virtual } from './virtual.ts'

/** The outbox of a store, as one of several processes sees it. */
class Shared {
  readonly left: number[][] = []
  isPresent = true
  othersSettled = async () => true
  observer: Observer | undefined

  of(store: OutboxStore): OutboxStore {
    const own: Partial<OutboxStore> = {
      watch: (observer) => {
        this.observer = observer
      },
      leave: async (endpoints) => void this.left.push([...endpoints]),
      haveOthersSettled: () => this.othersSettled(),
    }
    const shared = this
    return new Proxy(store, {
      get(target, name: keyof OutboxStore) {
        if (name === 'isPresent') return shared.isPresent
        if (!shared.isPresent && name === 'claim') return async () => []
        if (!shared.isPresent && name === 'firstDue') return async () => null
        const member = own[name] ?? target[name]
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
}

async function shared(send: (job: Job) => Promise<Result | null>) {
  const others = new Shared()
  const one = await virtual(send, {}, (outbox) => others.of(outbox))
  await one.endpoint('ep_1')
  const [number = 0] = await one.store.outbox.endpointNumbers()
  return { ...one, others, number }
}

it('leaves an endpoint once nothing of it is claimed', async () => {
  const { opened, open } = gate()
  const { worker, emit, others, number, close } = await shared(async () => {
    await opened
    return OK
  })
  await emit(3)
  const settled = worker.settled()
  await emit(3)
  expect(others.left.flat()).toEqual([])
  open()
  await settled
  expect(others.left.at(-1)).toEqual([number])
  await close()
})

it('has settled when the other processes have', async () => {
  const { worker, sandbox, others, close } = await shared(async () => OK)
  const answers = [false, false]
  others.othersSettled = async () => answers.shift() ?? true
  await worker.settled(await sandbox())
  expect(answers).toEqual([])
  await close()
})

it('attempts what another process committed', async () => {
  const sent: string[] = []
  const { store, sandbox, worker, others, number, close } = await shared(async ({ event }) => {
    sent.push(event.id)
    return OK
  })
  await worker.start()
  const event = { id: 'evt_1', kind: 'conversation.resolved', occurredAt: 0, body: '{}' }
  await store.state.commit(await sandbox(), { events: [event] })
  others.observer?.due([number])
  await worker.settled()
  expect(sent).toEqual(['evt_1'])
  await close()
})

it('begins no attempt while other processes take it for dead', async () => {
  const sent: string[] = []
  const first = gate()
  const { worker, emit, others, number, close } = await shared(async ({ event }) => {
    sent.push(event.id)
    await first.opened
    return OK
  })
  await emit(12)
  await expect.poll(() => sent.length).toBe(10)
  others.isPresent = false
  first.open()
  await worker.settled()
  expect(sent).toHaveLength(10)
  others.isPresent = true
  others.observer?.due([number])
  await worker.settled()
  expect(sent).toHaveLength(12)
  await close()
})

it('uses an endpoint as another process changed it', async () => {
  const secrets: string[] = []
  const first = gate()
  const { store, sandbox, worker, emit, others, close } = await shared(async ({ endpoint }) => {
    secrets.push(endpoint.secret)
    await first.opened
    return OK
  })
  await emit(11)
  await expect.poll(() => secrets.length).toBe(10)
  const one = await sandbox()
  await store.endpoints.changeSecret(one, 'ep_1', 'whsec_new')
  others.observer?.changed(one, 'ep_1')
  first.open()
  await worker.settled()
  expect(secrets.filter((secret) => secret === 'whsec_new')).toHaveLength(1)
  await close()
})
