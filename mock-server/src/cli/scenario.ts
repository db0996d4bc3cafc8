/** Plays the steps of a scenario on a running mock server. */
import { setTimeout as pause } from 'node:timers/promises'
import { durationOf } from '../control/duration.ts'
import { type Mock, MockError } from './mock.ts'
import type { Action, Step } from './scenario-file.ts'

/** A step that ran. */
export interface Progress {
  step: number
  of: number
  action: Action
  /** The id of what the step created or changed, or the new time. */
  result: string
}

interface Message {
  author: 'visitor' | 'agent'
  text: string
}

// biome-ignore lint/suspicious/noExplicitAny: the values match scenario.schema.json
type Request = (value: any, conversation: string) => [path: string, body: object]

const at = (id: string) => `/_mock/conversations/${id}`

const REQUESTS: Record<Exclude<Action, 'wait'>, Request> = {
  create: (value) => ['/_mock/conversations', value ?? {}],
  message: (message: Message, id) => [`${at(id)}/messages`, message],
  handoff: (reason, id) => [`${at(id)}/handoff`, { reason }],
  resolve: (_, id) => [`${at(id)}/resolve`, {}],
  csat: (value, id) => [`${at(id)}/csat`, value],
  trigger: (value) => ['/_mock/trigger', value],
  advance: (advance) => ['/_mock/clock', { advance }],
}

/** @throws {MockError} with the location of the step that the mock server refused */
export async function play(
  mock: Mock,
  steps: readonly Step[],
  onStep: (progress: Progress) => void,
): Promise<void> {
  const named = new Map<string, string>()
  let latest = ''
  for (const [index, step] of steps.entries()) {
    const { action, value, as, in: name, location } = step
    const conversation = name === undefined ? latest : (named.get(name) ?? name)
    const result = await carryOut(mock, action, value, encodeURIComponent(conversation)).catch(
      (error) => {
        if (!(error instanceof MockError)) throw error
        throw new MockError(`${location}: ${action}: ${error.message}`, error.status)
      },
    )
    if (action === 'create') {
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
  const response = await mock.post<{ id?: string; now?: string }>(path, body)
  return response.id ?? response.now ?? ''
}
