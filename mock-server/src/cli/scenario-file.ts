/** Reads a scenario, as `scenario.schema.json` describes it. */
import { readFile } from 'node:fs/promises'
import { formatLocation } from '@support-chat/scripts/yaml'
import { SCENARIO_SCHEMA } from '../assets.ts'
import { durationOf } from '../control/duration.ts'
import { FileError, readChecked, type Violation } from '../files/checked.ts'
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

type RawStep = Record<string, unknown> & { as?: string; in?: string | number }

/** The part of the schema that is read here too. */
interface ScenarioSchema {
  $defs?: { conversation?: { pattern?: string } }
}

interface Scenario {
  steps: RawStep[]
}

/** The actions on an existing conversation. */
const ON_CONVERSATION: readonly string[] = ['message', 'handoff', 'resolve', 'csat']

/** The longest wait, in milliseconds. */
const MAX_WAIT = 24 * 3_600_000

/**
 * @param schema What the server says about scenarios. Default is `scenario.schema.json`.
 * @throws {InputError} with a line `FILE:LINE:COL: what is wrong. what to do` for each problem.
 */
export async function readScenario(file: string, schema?: ScenarioSchema): Promise<Step[]> {
  try {
    const rules = schema ?? JSON.parse(await readFile(SCENARIO_SCHEMA, 'utf8'))
    const { value, locate } = await readChecked<Scenario>(file, rulesOf(rules))
    return value.steps.map((step, index) => {
      const action = actionsOf(step)[0] ?? 'wait'
      return {
        action,
        value: step[action],
        as: step.as,
        in: nameIn(step),
        location: formatLocation(locate(pointerOf(index))),
      }
    })
  } catch (error) {
    throw error instanceof FileError ? new InputError(error.message) : error
  }
}

function actionsOf(step: RawStep): Action[] {
  return ACTIONS.filter((name) => name in step)
}

/** The conversation of a step. An id may be a number. */
function nameIn(step: RawStep): string | undefined {
  return step.in === undefined ? undefined : String(step.in)
}

function rulesOf(schema: ScenarioSchema) {
  const id = new RegExp(schema.$defs?.conversation?.pattern ?? '', 'u')
  return {
    schema,
    name: 'scenario.schema.json',
    nameOf,
    check: ({ steps }: Scenario): Violation[] =>
      steps.flatMap((step, index) => {
        const violation = violationOf(step, steps.slice(0, index), id)
        return violation ? [{ pointer: pointerOf(index), ...violation }] : []
      }),
  }
}

function pointerOf(index: number): string {
  return `/steps/${index}`
}

/** Names a step by its number and action, and the field where it is not the action's own value. */
function nameOf(pointer: string, file: unknown, extra?: string): string {
  const [, , index, ...inside] = pointer.split('/')
  if (index === undefined) return extra ?? (pointer.slice(1) || 'The file')
  const step = (file as { steps: unknown[] }).steps[Number(index)]
  const [action] = typeof step === 'object' && step !== null ? actionsOf(step as RawStep) : []
  const name = `Step ${Number(index) + 1}${action ? ` (${action})` : ''}`
  const last = extra ?? inside.at(-1)
  return last === undefined || last === action ? name : `${name}: ${last}`
}

/**
 * The error of a step that is valid by the schema.
 *
 * @param id The form of the contract's ids.
 */
function violationOf(
  step: RawStep,
  before: readonly RawStep[],
  id: RegExp,
): Omit<Violation, 'pointer'> | null {
  const { as } = step
  const conversation = nameIn(step)
  const [action = 'wait', another] = actionsOf(step)
  if (!(action in step) || another) {
    return {
      message: `A step needs exactly one of ${ACTIONS.join(', ')}`,
      fix: 'Write one action per step',
    }
  }
  if (as !== undefined && action !== 'create') {
    return { message: 'Only `create` takes `as`', fix: 'Remove it' }
  }
  if (as !== undefined && before.some((one) => one.as === as)) {
    return {
      message: `The name ${as} is already taken`,
      fix: 'Give each conversation its own name',
    }
  }
  if (action === 'wait' && durationOf(String(step.wait)) > MAX_WAIT) {
    return {
      message: 'A `wait` runs on the real clock and takes at most a day',
      fix: 'Use `advance` instead',
    }
  }
  if (!ON_CONVERSATION.includes(action)) {
    if (conversation === undefined) return null
    return { message: `\`${action}\` does not act on a conversation`, fix: 'Remove `in`' }
  }
  if (conversation === undefined) {
    if (before.some((one) => 'create' in one)) return null
    return {
      message: `\`${action}\` needs a conversation`,
      fix: 'Add a `create` step before it, or set `in` to a conversation id',
    }
  }
  const isKnown = before.some((one) => one.as === conversation)
  if (isKnown || id.test(conversation)) return null
  return {
    message: `No earlier step names a conversation ${conversation}`,
    fix: `Add \`create\` with \`as: ${conversation}\` before this step`,
  }
}
