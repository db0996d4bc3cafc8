/** Reads a scenario, as `scenario.schema.json` describes it. */
import { SCENARIO_SCHEMA } from '../assets.ts'
import { durationOf } from '../control/duration.ts'
import { FileError, lastOf, readChecked } from '../files/checked.ts'
import { InputError } from './inputs.ts'

export const ACTIONS = [
  'open',
  'say',
  'answer',
  'handoff',
  'resolve',
  'rate',
  'trigger',
  'advance',
  'wait',
] as const
export type Action = (typeof ACTIONS)[number]

export interface Step {
  action: Action
  value: unknown
  /** The name that it gives to the conversation that it opens. */
  as: string | undefined
  /** The conversation, by a name or its id; undefined for the one that was opened last. */
  in: string | undefined
  /** Where it stands, as `FILE:LINE:COL`. */
  place: string
}

type Raw = Record<string, unknown> & { as?: string; in?: string }

/** Those that are about a conversation. */
const ABOUT_ONE: readonly string[] = ['say', 'answer', 'handoff', 'resolve', 'rate']

/** The longest wait, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000

/** @throws {InputError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem. */
export async function readScenario(file: string): Promise<Step[]> {
  try {
    const checked = await readChecked<{ steps: Raw[] }>(file, SCENARIO_SCHEMA, nameOf)
    const { placeOf, refuse } = checked
    const { steps } = checked.value
    const places = steps.map((_, index) => `/steps/${index}`)
    refuse(
      steps.flatMap((step, index) => {
        const text = faultOf(step, steps.slice(0, index))
        return text === null ? [] : [{ place: places[index] ?? '', text }]
      }),
    )
    return steps.map((step, index) => {
      const action = actionsOf(step)[0] ?? 'wait'
      const place = placeOf(`${places[index]}`)
      return { action, value: step[action], as: step.as, in: step.in, place }
    })
  } catch (error) {
    throw error instanceof FileError ? new InputError(error.message) : error
  }
}

function actionsOf(step: Raw): Action[] {
  return ACTIONS.filter((name) => name in step)
}

/** A step by its number and action; what of it, where that is not the action's own value. */
function nameOf(place: string, file: unknown): string {
  const [, , index, ...inside] = place.split('/')
  if (index === undefined) return lastOf(place)
  const step = (file as { steps: unknown[] }).steps[Number(index)]
  const [action] = typeof step === 'object' && step !== null ? actionsOf(step as Raw) : []
  const name = `Step ${Number(index) + 1}${action ? ` (${action})` : ''}`
  const last = inside.at(-1)
  return last === undefined || last === action ? name : `${name}: ${last}`
}

/** What the schema does not say of a step. */
function faultOf(step: Raw, before: readonly Raw[]): string | null {
  const { as, in: conversation } = step
  const [action = 'wait', another] = actionsOf(step)
  if (!(action in step) || another)
    return `A step has one of ${ACTIONS.join(', ')}. Split or mend it.`
  if (as !== undefined && action !== 'open') return 'Only `open` has `as`. Remove it.'
  if (as !== undefined && before.some((one) => one.as === as)) {
    return `The name ${as} is there twice. Give each conversation its own.`
  }
  if (action === 'wait' && durationOf(String(step.wait)) > MAX_WAIT) {
    return 'A `wait` takes a day at most, as it is on the real clock. Write `advance` instead.'
  }
  if (conversation !== undefined && !ABOUT_ONE.includes(action)) {
    return `\`${action}\` is about no conversation. Remove \`in\`.`
  }
  if (!ABOUT_ONE.includes(action)) return null
  if (conversation === undefined) {
    if (before.some((one) => 'open' in one)) return null
    return `\`${action}\` needs a conversation. \`open\` one before, or name its id with \`in\`.`
  }
  const isKnown = before.some((one) => one.as === conversation)
  if (isKnown || conversation.startsWith('conv_')) return null
  return `No conversation is called ${conversation} by now. \`open\` it before, with \`as\`.`
}
