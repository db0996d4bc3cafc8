/** Reads a scenario, as `scenario.schema.json` describes it. */
import { SCENARIO_SCHEMA } from '../assets.ts'
import { durationOf } from '../control/duration.ts'
import { FileError, lastOf, readChecked } from '../files/checked.ts'
import { InputError } from './inputs.ts'

export const ACTIONS = [
  'create',
  'message',
  'handoff',
  'resolve',
  'csat',
  'trigger',
  'advance',
  'wait',
] as const
export type Action = (typeof ACTIONS)[number]

export interface Step {
  action: Action
  value: unknown
  /** The name that it gives to the conversation that it creates. */
  as: string | undefined
  /** The conversation, by name or id; undefined for the one created last. */
  in: string | undefined
  /** As `FILE:LINE:COL`. */
  location: string
}

type RawStep = Record<string, unknown> & { as?: string; in?: string }

/** The actions on an existing conversation. */
const ON_CONVERSATION: readonly string[] = ['message', 'handoff', 'resolve', 'csat']

/** The longest wait, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000

/** @throws {InputError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem. */
export async function readScenario(file: string): Promise<Step[]> {
  try {
    const checked = await readChecked<{ steps: RawStep[] }>(file, SCENARIO_SCHEMA, nameOf)
    const { locationOf, refuse } = checked
    const { steps } = checked.value
    const pointers = steps.map((_, index) => `/steps/${index}`)
    refuse(
      steps.flatMap((step, index) => {
        const text = problemOf(step, steps.slice(0, index))
        return text === null ? [] : [{ pointer: pointers[index] ?? '', text }]
      }),
    )
    return steps.map((step, index) => {
      const action = actionsOf(step)[0] ?? 'wait'
      const location = locationOf(`${pointers[index]}`)
      return { action, value: step[action], as: step.as, in: step.in, location }
    })
  } catch (error) {
    throw error instanceof FileError ? new InputError(error.message) : error
  }
}

function actionsOf(step: RawStep): Action[] {
  return ACTIONS.filter((name) => name in step)
}

/** Names a step by its number and action, and the field where it is not the action's own value. */
function nameOf(pointer: string, file: unknown): string {
  const [, , index, ...inside] = pointer.split('/')
  if (index === undefined) return lastOf(pointer)
  const step = (file as { steps: unknown[] }).steps[Number(index)]
  const [action] = typeof step === 'object' && step !== null ? actionsOf(step as RawStep) : []
  const name = `Step ${Number(index) + 1}${action ? ` (${action})` : ''}`
  const last = inside.at(-1)
  return last === undefined || last === action ? name : `${name}: ${last}`
}

/** What is wrong with a step that fits the schema. */
function problemOf(step: RawStep, before: readonly RawStep[]): string | null {
  const { as, in: conversation } = step
  const [action = 'wait', another] = actionsOf(step)
  if (!(action in step) || another) {
    return `A step needs exactly one of ${ACTIONS.join(', ')}. Write one action per step.`
  }
  if (as !== undefined && action !== 'create') return 'Only `create` takes `as`. Remove it.'
  if (as !== undefined && before.some((one) => one.as === as)) {
    return `The name ${as} is already taken. Give each conversation its own name.`
  }
  if (action === 'wait' && durationOf(String(step.wait)) > MAX_WAIT) {
    return 'A `wait` runs on the real clock and takes at most a day. Use `advance` instead.'
  }
  if (conversation !== undefined && !ON_CONVERSATION.includes(action)) {
    return `\`${action}\` does not act on a conversation. Remove \`in\`.`
  }
  if (!ON_CONVERSATION.includes(action)) return null
  if (conversation === undefined) {
    if (before.some((one) => 'create' in one)) return null
    return `\`${action}\` needs a conversation. Add a \`create\` step before it, or set \`in\` to a conversation id.`
  }
  const isKnown = before.some((one) => one.as === conversation)
  if (isKnown || conversation.startsWith('conv_')) return null
  return `No earlier step names a conversation ${conversation}. Add \`create\` with \`as: ${conversation}\` before this step.`
}
