import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { ReceiverCase, Step } from '../../../conformance/webhooks/receivers.ts'
import type { Vector } from '../../../conformance/webhooks/vectors.ts'
import { bodyOf } from '../webhooks/support.ts'
import { Scenario, type Setting, type Steered } from './scenario.ts'
import { type Make, send } from './servers.ts'

const file = new URL('../../../conformance/webhooks/receivers.json', import.meta.url)

export const { statuses, cases }: { statuses: Record<string, number>; cases: ReceiverCase[] } =
  JSON.parse(readFileSync(file, 'utf8'))

/** Starts a server, and resolves to its port. */
export type Start = (...given: Parameters<Make>) => Promise<number>

/** A receiver in this process. */
export async function here(setting: Setting, start: Start): Promise<Steered> {
  const scenario = new Scenario(setting)
  const port = await start(scenario.webhooks, scenario.handler, scenario.options)
  return Object.assign(scenario, { port })
}

/** Sends the requests of a case to a receiver, and compares what comes of them. */
export async function run(each: ReceiverCase, receiver: Steered): Promise<void> {
  const sent = ({ method, body, headers }: Step) =>
    send(receiver.port, method, bodyOf({ body }), listOf(headers), receiver.path)

  let previous: { response: ReturnType<typeof sent>; step: Step } | undefined
  for (const step of each.steps) {
    await receiver.advance(step.after ?? 0)
    if (step.held) await receiver.hold()
    const response = sent(step)
    if (step.held) await receiver.entered()
    else expect(await response).toEqual(expected(step))
    if (previous) {
      await receiver.open()
      expect(await previous.response).toEqual(expected(previous.step))
    }
    previous = step.held ? { response, step } : undefined
  }

  const { handled, errors } = await receiver.seen()
  expect({ handled, errors }).toEqual({ handled: each.handled, errors: each.errors })
}

function expected({ status, allow }: Step) {
  return { status, allow, text: '' }
}

/** A value beyond Latin-1 travels as the bytes of its UTF-8. */
export function listOf(headers: Vector['headers']): string[] {
  return headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')])
}
