// What a receiver case is about, without a server. Runs in every runtime.
import type { ReceiverCase } from '../../../conformance/webhooks/receivers.ts'
import {
  MemoryDedupeStore,
  type WebhookHandler,
  Webhooks,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import type { WebhookHandlerOptions } from '../../src/webhooks/receive.ts'

/** How a receiver is to behave. */
export type Setting = Pick<ReceiverCase, 'secrets' | 'maxBodyBytes' | 'store' | 'handler'> &
  Pick<ReceiverCase, 'hookRaises'> & { bodyTimeout?: number }

export interface Seen {
  handled: string[]
  errors: string[]
}

/** A receiver that others start and steer. */
export interface Steered {
  port: number
  /** Where it receives. */
  path?: string | undefined
  /** Advances the store's clock. */
  advance(seconds: number): Promise<void>
  /** Lets the next call of the handler wait. */
  hold(): Promise<void>
  /** Resolves when a handler waits. */
  entered(): Promise<void>
  /** Lets the handler that waits longest return. */
  open(): Promise<void>
  seen(): Promise<Seen>
}

export class Scenario implements Omit<Steered, 'port' | 'path'> {
  readonly webhooks: Webhooks
  readonly handler: WebhookHandler
  readonly options: WebhookHandlerOptions
  readonly #seen: Seen = { handled: [], errors: [] }
  #clock = Date.parse('2026-03-02T09:21:48Z')
  #toHold = 0
  #held = 0
  #opened = 0

  constructor({ secrets, maxBodyBytes, store, handler, hookRaises, bodyTimeout }: Setting) {
    const { handled, errors } = this.#seen
    this.webhooks = new Webhooks(secrets, { maxBodyBytes })
    this.handler = async ({ id }) => {
      const does = handler[Math.min(handled.length, handler.length - 1)]
      handled.push(id)
      if (this.#toHold > 0) {
        this.#toHold--
        const place = this.#held++
        // Not a promise that `open` resolves: in workerd, requests do not wait for each other.
        while (this.#opened <= place) await tick()
      }
      if (does === 'raises') throw new Error('handler')
    }
    this.options = {
      bodyTimeout,
      store: storeOf(store, () => this.#clock),
      onError(error) {
        errors.push(codeOf(error))
        if (hookRaises) throw new Error('hook')
      },
    }
  }

  async advance(seconds: number): Promise<void> {
    this.#clock += seconds * 1000
  }

  async hold(): Promise<void> {
    this.#toHold++
  }

  async entered(): Promise<void> {
    while (this.#toHold > 0) await tick()
  }

  async open(): Promise<void> {
    this.#opened++
  }

  async seen(): Promise<Seen> {
    return this.#seen
  }
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 1))

export function codeOf(error: unknown): string {
  if (error instanceof WebhookVerificationError) return error.code
  const { message } = error as Error
  return message.includes(' is being handled by ') ? 'in_progress' : message
}

function storeOf(name: Setting['store'], now: () => number) {
  if (name === 'none') return undefined
  const store = new MemoryDedupeStore({ now })
  const method = {
    memory: null,
    'begin fails': 'begin',
    'done fails': 'done',
    'release fails': 'release',
  }[name]
  if (method) Object.assign(store, { [method]: async () => Promise.reject(new Error('store')) })
  return store
}
