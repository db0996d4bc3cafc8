import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ReceiverCase, Step } from '../../../conformance/webhooks/receivers.ts'
import type { Vector } from '../../../conformance/webhooks/vectors.ts'
import { MemoryDedupeStore, Webhooks, WebhookVerificationError } from '../../src/webhooks/index.ts'
import { bodyOf, vectors } from '../webhooks/support.ts'
import { receivers, send, serve } from './servers.ts'

const folder = new URL('../../../conformance/webhooks/', import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const { statuses, cases }: { statuses: Record<string, number>; cases: ReceiverCase[] } =
  read('receivers.json')

/** Verifiers without a secret cannot be made. */
const constructible = vectors.filter(({ result }) => result !== 'missing_secret')
const sendable = constructible.filter(({ headers }) =>
  headers.every(([, value]) => !value.includes('\n')),
)

describe.each(Object.entries(receivers))('a receiver with %s', (_, make) => {
  test.each(sendable)('returns the status of $id', async (vector) => {
    const { secrets, tolerance, maxBodyBytes, headers, result } = vector
    const errors: unknown[] = []
    const handled: string[] = []
    const now = () => Date.parse(vector.now ?? '2026-03-02T09:21:48Z')
    const webhooks = new Webhooks(secrets, { tolerance, maxBodyBytes, now })
    const onError = (error: unknown) => errors.push(codeOf(error))
    const port = await serve(make(webhooks, ({ id }) => handled.push(id), { onError }))

    const got = await send(port, 'POST', bodyOf(vector), listOf(headers))

    expect(got).toEqual({ status: statuses[result], allow: undefined, text: '' })
    expect(handled).toHaveLength(result === 'ok' ? 1 : 0)
    expect(errors).toEqual(result === 'ok' ? [] : [result])
  })

  test.each(cases)('$id: $rule', async (each) => {
    const { secrets, maxBodyBytes, store, handler, hookRaises, steps } = each
    let clock = Date.parse('2026-03-02T09:21:48Z')
    const seen: { handled: string[]; errors: unknown[] } = { handled: [], errors: [] }
    const gates: Gate[] = []
    const listener = make(
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
    const port = await serve(listener)
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
  })
})

test('all vectors but one can travel: a line feed would end the header', () => {
  const staying = constructible.filter((vector) => !sendable.includes(vector))
  expect(staying.map(({ id }) => id)).toEqual(['malformed-newline-after'])
})

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
function listOf(headers: Vector['headers']): string[] {
  return headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')])
}

function codeOf(error: unknown): unknown {
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
