/** Plays a scenario against a running mock server. */
import { setTimeout as pause } from 'node:timers/promises'
import { durationOf } from '../control/duration.ts'
import { type Mock, MockError } from './mock.ts'
import type { Action, Step } from './scenario-file.ts'

/** What a step did: the id of what came of it, or the new time. */
export interface Progress {
  step: number
  of: number
  action: Action
  result: string
}

type Request = (value: unknown, conversation: string) => [path: string, body: object]

const at = (id: string) => `/_mock/conversations/${id}`

const REQUESTS: Record<Exclude<Action, 'wait'>, Request> = {
  open: (value) => ['/_mock/conversations', value ?? {}],
  say: (text, id) => [`${at(id)}/messages`, { text }],
  answer: (text, id) => [`/v1/conversations/${id}/messages`, { text }],
  handoff: (reason, id) => [`${at(id)}/handoff`, { reason }],
  resolve: (_, id) => [`${at(id)}/resolve`, {}],
  rate: (value, id) => [`${at(id)}/csat`, value as object],
  trigger: (value) => ['/_mock/trigger', value as object],
  advance: (advance) => ['/_mock/clock', { advance }],
}

/** @throws {MockError} with the place of the step that the mock server refused */
export async function play(
  mock: Mock,
  steps: readonly Step[],
  onStep: (progress: Progress) => void,
): Promise<void> {
  const named = new Map<string, string>()
  let latest = ''
  for (const [index, step] of steps.entries()) {
    const { action, value, as, in: name, place } = step
    const conversation = name === undefined ? latest : (named.get(name) ?? name)
    const result = await carryOut(mock, action, value, encodeURIComponent(conversation)).catch(
      (error) => {
        if (!(error instanceof MockError)) throw error
        throw new MockError(`${place}: ${action}: ${error.message}`, error.status)
      },
    )
    if (action === 'open') {
      latest = result
      if (as !== undefined) named.set(as, result)
    }
    onStep({ step: index + 1, of: steps.length, action, result })
  }
}

async function carryOut(
  mock: Mock,
  action: Action,
  value: unknown,
  conversation: string,
): Promise<string> {
  if (action === 'wait') {
    await pause(durationOf(String(value)))
    return String(value)
  }
  const [path, body] = REQUESTS[action](value, conversation)
  const answer = await mock.post<{ id?: string; now?: string }>(path, body)
  return answer.id ?? answer.now ?? ''
}
