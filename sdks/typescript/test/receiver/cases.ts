import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { ReceiverCase, Step } from '../../../conformance/webhooks/receivers.ts'
import type { Vector } from '../../../conformance/webhooks/vectors.ts'
import { MemoryDedupeStore, Webhooks, WebhookVerificationError } from '../../src/webhooks/index.ts'
import { bodyOf } from '../webhooks/support.ts'
import { type Make, send } from './servers.ts'

const file = new URL('../../../conformance/webhooks/receivers.json', import.meta.url)

export const { statuses, cases }: { statuses: Record<string, number>; cases: ReceiverCase[] } =
  JSON.parse(readFileSync(file, 'utf8'))

/** Sends the requests of a case to a receiver, and compares what comes of them. */
export async function run(each: ReceiverCase, start: Start): Promise<void> {
  const { secrets, maxBodyBytes, store, handler, hookRaises, steps } = each
  let clock = Date.parse('2026-03-02T09:21:48Z')
  const seen: { handled: string[]; errors: unknown[] } = { handled: [], errors: [] }
  const gates: Gate[] = []
  const port = await start(
    new Webhooks(secrets, { maxBodyBytes }),
    async ({ id }) => {
      const does = handler[Math.min(seen.handled.length, handler.length - 1)]
      seen.handled.push(id)
      const gate = gates.pop()
      gate?.enter()
      await gate?.opened
      if (does === 'raises') throw new Error('handler')
    },
    {
      store: storeOf(store, () => clock),
      onError(error) {
        seen.errors.push(codeOf(error))
        if (hookRaises) throw new Error('hook')
      },
    },
  )
  const sent = ({ method, body, headers }: Step) =>
    send(port, method, bodyOf({ body }), listOf(headers))

  let previous: { gate: Gate; response: ReturnType<typeof sent>; step: Step } | undefined
  for (const step of steps) {
    clock += (step.after ?? 0) * 1000
    const gate = new Gate()
    if (step.held) gates.push(gate)
    const response = sent(step)
    if (step.held) await gate.entered
    else expect(await response).toEqual(expected(step))
    if (previous) {
      previous.gate.open()
      expect(await previous.response).toEqual(expected(previous.step))
    }
    previous = step.held ? { gate, response, step } : undefined
  }

  const told = (errors: unknown[]) => errors.filter((error) => error !== 'in_progress')
  expect({ ...seen, errors: told(seen.errors) }).toEqual({
    handled: each.handled,
    errors: told(each.errors),
  })
}

/** Starts a server, and resolves to its port. */
export type Start = (...given: Parameters<Make>) => Promise<number>

/** Holds a handler back from when it is entered until it is opened. */
class Gate {
  enter = () => {}
  open = () => {}
  readonly entered = new Promise<void>((resolve) => {
    this.enter = resolve
  })
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

function expected({ status, allow }: Step) {
  return { status, allow, text: '' }
}

/** A value beyond Latin-1 travels as the bytes of its UTF-8. */
export function listOf(headers: Vector['headers']): string[] {
  return headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')])
}

export function codeOf(error: unknown): unknown {
  if (error instanceof WebhookVerificationError) return error.code
  const { message } = error as Error
  return message.includes(' is being handled by ') ? 'in_progress' : message
}

function storeOf(name: ReceiverCase['store'], now: () => number) {
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
