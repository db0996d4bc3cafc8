/**
 * Listeners where several processes share a store. Those of a sandbox are open in one process, which the first consumer
 * of the sandbox reaches. Every other process forwards to it what its consumers send.
 */
import { Problem } from '../door/problem.ts'
import { ALONE, PeerFailed, PeerGone, type Peers } from '../store/peers.ts'
import type { EndpointStore } from '../store/store.ts'
import type { Endpoint, Sandbox } from '../store/types.ts'
import type { OnGone, Poll, Report } from './listener.ts'
import type { LeasedDelivery, ListenerSecret, Listeners } from './listeners.ts'

interface ForListener {
  sandbox: Sandbox
  endpoint: string
}
interface Registration {
  sandbox: Sandbox
  wanted: Pick<Endpoint, 'url' | 'kinds' | 'revision'>
  secrets: ListenerSecret
}
type ForwardedPoll = ForListener & { poll: Poll; id: number }

/** How long a forwarded poll may take, in milliseconds: longer than a poll. */
const POLL = 40_000

export class SharedListeners {
  readonly #own: Listeners
  readonly #peers: Peers
  readonly #store: EndpointStore
  /** The polls that this process serves for others. Each is told when its consumer is gone. */
  readonly #polls = new Map<string, () => void>()
  #made = 0

  constructor(own: Listeners, { peers, endpoints }: { peers: Peers; endpoints: EndpointStore }) {
    this.#own = own
    this.#peers = peers
    this.#store = endpoints
    peers.handle('listeners.register', ({ sandbox, wanted, secrets }: Registration) =>
      own.register(sandbox, wanted, secrets),
    )
    peers.handle('listeners.secret', ({ sandbox, usual }: { sandbox: Sandbox; usual: string }) =>
      own.secretOf(sandbox, usual),
    )
    peers.handle('listeners.poll', async ({ sandbox, endpoint, poll, id }: ForwardedPoll) => {
      const name = pollName(poll.consumer, id)
      const onGone: OnGone = (gone) => void this.#polls.set(name, gone)
      return own.poll(sandbox, endpoint, poll, onGone).finally(() => this.#polls.delete(name))
    })
    peers.handle('listeners.gone', async ({ consumer, id }: { consumer: string; id: number }) =>
      this.#polls.get(pollName(consumer, id))?.(),
    )
    peers.handle(
      'listeners.report',
      async ({ sandbox, endpoint, reports }: ForListener & { reports: Report[] }) =>
        own.report(sandbox, endpoint, reports),
    )
    peers.handle('listeners.removed', ({ sandbox, endpoint }: ForListener) =>
      own.remove(sandbox, endpoint, async () => {}),
    )
    peers.handle('listeners.reset', ({ sandbox }: { sandbox: Sandbox }) => own.renew(sandbox))
  }

  /** As {@link Listeners.register}. */
  register(
    sandbox: Sandbox,
    wanted: Registration['wanted'],
    secrets: ListenerSecret = {},
  ): Promise<Endpoint> {
    const registration: Registration = { sandbox, wanted, secrets }
    return this.#atHome(sandbox, 'listeners.register', registration, () =>
      this.#own.register(sandbox, wanted, secrets),
    )
  }

  /** As {@link Listeners.secretOf}. */
  secretOf(sandbox: Sandbox, usual: string): Promise<string> {
    return this.#atHome(sandbox, 'listeners.secret', { sandbox, usual }, () =>
      this.#own.secretOf(sandbox, usual),
    )
  }

  /** As {@link Listeners.poll}. */
  async poll(
    sandbox: Sandbox,
    endpoint: string,
    poll: Poll,
    onGone?: OnGone,
  ): Promise<LeasedDelivery[]> {
    const id = ++this.#made
    const isOver = new AbortController()
    const own = () => this.#own.poll(sandbox, endpoint, poll, onGone)
    const forwarded: ForwardedPoll = { sandbox, endpoint, poll, id }
    const options = { timeout: POLL, signal: isOver.signal }
    return this.#atHome(sandbox, 'listeners.poll', forwarded, own, options, (home) =>
      onGone?.(() => {
        if (isOver.signal.aborted) return
        isOver.abort()
        const { consumer } = poll
        this.#peers.request(home, 'listeners.gone', { consumer, id }).catch(() => {})
      }),
    )
  }

  /** As {@link Listeners.report}. */
  report(sandbox: Sandbox, endpoint: string, reports: readonly Report[]): Promise<number> {
    return this.#atHome(sandbox, 'listeners.report', { sandbox, endpoint, reports }, async () =>
      this.#own.report(sandbox, endpoint, reports),
    )
  }

  /** As {@link Listeners.remove}. */
  async remove(sandbox: Sandbox, endpoint: string, remove: () => Promise<void>): Promise<void> {
    const home = await this.#homeOf(sandbox)
    await this.#own.remove(sandbox, endpoint, remove)
    if (home) await this.#tell(home, 'listeners.removed', { sandbox, endpoint })
  }

  /** As {@link Listeners.reset}. */
  async reset(sandbox: Sandbox, reset: (kept: Endpoint[]) => Promise<void>): Promise<void> {
    const home = await this.#homeOf(sandbox)
    await this.#own.reset(sandbox, reset)
    if (home) await this.#tell(home, 'listeners.reset', { sandbox })
  }

  /** Works where the listeners of a sandbox are open: in another process, or in this one. */
  async #atHome<T>(
    sandbox: Sandbox,
    name: string,
    body: object,
    own: () => Promise<T>,
    options = {},
    onForwarded: (home: string) => void = () => {},
  ): Promise<T> {
    const home = await this.#homeOf(sandbox)
    if (home === null) return own()
    onForwarded(home)
    try {
      return await this.#peers.request<T>(home, name, body, options)
    } catch (error) {
      throw problemOf(error)
    }
  }

  /** Tells a process what it would find out later. */
  async #tell(home: string, name: string, body: object): Promise<void> {
    await this.#peers.request(home, name, body).catch((error) => {
      if (!(error instanceof PeerGone)) throw problemOf(error)
    })
  }

  /** The process where listeners of a sandbox are open; null for this one, or none. */
  async #homeOf(sandbox: Sandbox): Promise<string | null> {
    if (this.#peers === ALONE) return null
    const attended = await this.#store.attended(sandbox)
    return attended.find(({ by }) => by !== null)?.by ?? null
  }
}

function pollName(consumer: string, id: number): string {
  return `${id} ${consumer}`
}

/** What another process refused, or that it is gone. */
function problemOf(error: unknown): unknown {
  if (error instanceof PeerGone) {
    const detail = 'The process that listens is gone. Send the request again.'
    const headers = { 'retry-after': '1' }
    return new Problem(503, 'listener_moved', detail, { headers })
  }
  if (!(error instanceof PeerFailed)) return error
  const { status, code, message } = error.detail as Partial<Problem>
  return status && code ? new Problem(status, code, message ?? '') : error
}
