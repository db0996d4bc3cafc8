import { randomUUID } from 'node:crypto'
import { negotiate } from '../door/media-type.ts'
import type { HttpResponse } from '../door/message.ts'
import type { Preferences } from '../door/prefer.ts'
import { Problem, type Reason } from '../door/problem.ts'
import type { Json } from './document.ts'
import type { Operation } from './load.ts'
import { type Made, responseFor } from './made.ts'
import type { PrismOperation } from './prism.ts'
import { ofFinding, ofReason, violationsHeader } from './violations.ts'

export type Declared = PrismOperation['responses'][number]

/** One of the responses that an operation declares. */
export interface Choice {
  response: Declared
  /** The response's own status, or one out of its range. */
  status: number
  /** Undefined for a response without a body. */
  mediaType: string | undefined
  /** Undefined for the first example, or for one made from the schema if there is none. */
  example: string | undefined
  /** Asks for new values from the schema. */
  fresh?: Fresh | undefined
}

interface Fresh {
  /** What they depend on. */
  seed: string
  /** Of the generator. */
  settings: Json
}

/** How responses are made from the contract. */
export interface Mocking {
  /** Makes new values from schemas, instead of examples. @default false */
  isDynamic?: boolean | undefined
  /** What new values depend on. @default they differ each time */
  seed?: string | undefined
  /** Also reads preferences from the query: `__code`, `__example`, `__dynamic`. @default false */
  hasQueryPreferences?: boolean | undefined
  /** Fails requests whose response contradicts the contract. @default false */
  isChecked?: boolean | undefined
  /** Of the generator of new values. @default its own */
  settings?: Json | undefined
}

// Without new values a response depends only on the choice, so each is made once.
const known = new WeakMap<PrismOperation, Map<string, Made>>()

/**
 * Responds to a valid request from the contract alone.
 *
 * @param warnings About the request. They and what contradicts the contract stand in a header.
 * @throws {Problem} 404 for a preference that the contract does not declare, 406; 501 where no response
 * can be made from its schema; 500 for one that contradicts the contract, on request.
 */
export async function respond(
  operation: Operation,
  preferences: Preferences,
  accept: string | undefined,
  { isDynamic, seed, isChecked, settings = {} }: Mocking = {},
  warnings: readonly Reason[] = [],
): Promise<HttpResponse> {
  const choice = choose(operation, preferences, accept)
  if (choice.example === undefined && (preferences.dynamic ?? isDynamic)) {
    choice.fresh = { seed: preferences.seed ?? seed ?? randomUUID(), settings }
  }
  const { response, misfits } = await made(operation, choice)
  if (misfits.length === 0 && warnings.length === 0) return response
  const header = violationsHeader([
    ...warnings.map((warning) => ofReason(warning, 'Warning')),
    ...misfits.map(ofFinding),
  ])
  const [misfit] = misfits
  if (misfit && isChecked) {
    const { method, path } = operation
    const detail = `For ${method} ${path}, the response with status ${choice.status} contradicts the contract: ${misfit.message}.`
    throw new Problem(500, 'contract_violation', detail, { headers: header })
  }
  return { ...response, headers: { ...response.headers, ...header } }
}

async function made(operation: Operation, choice: Choice): Promise<Made> {
  if (choice.fresh) return responseFor(operation, choice)
  const key = JSON.stringify([choice.status, choice.mediaType, choice.example])
  const responses = known.get(operation.prism) ?? new Map<string, Made>()
  known.set(operation.prism, responses)
  const found = responses.get(key) ?? (await responseFor(operation, choice))
  responses.set(key, found)
  return found
}

/** Whether an operation declares a status by itself or by its range, not by `default` alone. */
export function declares({ prism }: Operation, status: number): boolean {
  return declaration(prism.responses, String(status)) !== undefined
}

/**
 * Checks that the client accepts the usual response of an operation, for a response from the sandbox.
 *
 * @throws {Problem} 400 for a malformed `Accept`, 406.
 */
export function checkAccept(operation: Operation, accept: string | undefined): void {
  if (accept !== undefined) choose(operation, {}, accept)
}

/** The status of a declared response; of a range the first one. */
export function statusOf({ code }: Declared): number {
  return code === 'default' ? 500 : Number(code.replace(/XX$/i, '00'))
}

function choose(operation: Operation, { code, example }: Preferences, accept?: string): Choice {
  const { responses } = operation.prism
  const found = code === undefined ? usual(responses) : preferred(responses, code)
  if (!found)
    throw undeclared(
      'status',
      code ?? '',
      operation,
      responses.map((r) => r.code),
    )

  const { response, status } = found
  const offers = (response.contents ?? []).map(({ mediaType }) => mediaType)
  const mediaType = negotiate(accept, offers) ?? undefined
  // An error reaches even a client that does not accept its media type.
  if (offers.length > 0 && !mediaType && status < 400) {
    throw new Problem(
      406,
      'not_acceptable',
      `This operation returns ${offers.join(' or ')}. Accept one of them.`,
    )
  }
  const chosen = mediaType ?? offers[0]
  const examples =
    response.contents?.find((content) => content.mediaType === chosen)?.examples ?? []
  const names = examples.map(({ key }) => key)
  if (example !== undefined && !names.includes(example)) {
    throw undeclared('example', example, operation, names)
  }
  return { response, status, mediaType: chosen, example }
}

type Found = { response: Declared; status: number } | undefined

/** The default response: the lowest success. */
function usual(responses: Declared[]): Found {
  const successes = responses
    .filter(({ code }) => /^2(\d\d|XX)$/.test(code))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
  const fallback = responses.find(({ code }) => code === 'default')
  if (!successes[0] && fallback) return { response: fallback, status: 200 }
  const response = successes[0] ?? responses.find(({ code }) => !code.startsWith('1'))
  return response && { response, status: statusOf(response) }
}

/** The response declared for a status, by itself, by its range or by `default`. */
function preferred(responses: Declared[], code: string): Found {
  if (!/^[2-5]\d\d$/.test(code)) return undefined
  const response = declaration(responses, code) ?? responses.find((one) => one.code === 'default')
  return response && { response, status: Number(code) }
}

/** The first of some statuses that an operation declares, else `default` for the first of them. */
export function firstDeclared(
  { prism: { responses } }: Operation,
  statuses: readonly [number, ...number[]],
): Found {
  for (const status of statuses) {
    const response = declaration(responses, String(status))
    if (response) return { response, status }
  }
  const response = responses.find(({ code }) => code === 'default')
  return response && { response, status: statuses[0] }
}

function declaration(responses: Declared[], code: string): Declared | undefined {
  const range = `${code[0]}XX`
  return (
    responses.find((one) => one.code === code) ??
    responses.find((one) => one.code.toUpperCase() === range)
  )
}

/** A 404 for a preference that the contract does not have. */
export function undeclared(
  what: string,
  preferred: string,
  operation: Operation,
  declared: string[],
): Problem {
  const { method, path } = operation
  const list = declared.length > 0 ? declared.join(', ') : 'none'
  const detail = `For ${method} ${path}, the contract declares no ${what} ${preferred}. It declares: ${list}.`
  return new Problem(404, `undeclared_${what}`, detail)
}
