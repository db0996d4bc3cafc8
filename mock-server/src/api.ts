/** Handles the operations of the contract: from the sandbox if it holds their state, else with Prism. */

import { byCompiled } from './contract/compiled.ts'
import { type Described, object } from './contract/document.ts'
import { Drift, type DriftCheck } from './contract/drift.ts'
import type { Contract, Operation } from './contract/load.ts'
import { checkServed } from './contract/made.ts'
import type { Problems } from './contract/problems.ts'
import { asDeclared } from './contract/refused.ts'
import { readRequest } from './contract/request.ts'
import { checkAccept, declares, type Mocking, respond } from './contract/respond.ts'
import type { Check } from './contract/validate.ts'
import { authenticate } from './door/auth.ts'
import type { HttpRequest, HttpResponse } from './door/message.ts'
import { type Preferences, parsePrefer, takePreferences } from './door/prefer.ts'
import { Problem, problemResponse, titleOf } from './door/problem.ts'
import { parametersOf, type Route } from './door/router.ts'
import type { Target } from './door/target.ts'
import { toProblem } from './errors.ts'
import type { Faults, Met } from './faults/faults.ts'
import { ownerOf, type Sandboxes } from './sandbox/sandboxes.ts'
import type { Sandbox } from './store/types.ts'

/** Handles a request whose route is known. */
export type RouteHandler = (request: HttpRequest, target: Target) => Promise<HttpResponse>

/** What holds for everything that the API sends. */
export interface ApiOptions {
  sandboxes: Sandboxes | null
  problems: Problems
  /** Checks responses of the sandbox; undefined for none. */
  drift?: DriftCheck | undefined
  faults: Faults
  mocking: Mocking
  /** The name of this revision of the contract; null if it is the only one. */
  revision: string | null
  /** Checks the requests of operations that the sandbox has no state for. */
  check: Check
}

/** Whose request it is. */
interface Caller {
  key: string
  /** Null where it is not known yet. */
  sandbox: Sandbox | null
}

/** The routes of the contract. */
export function apiRoutes(contract: Contract, options: ApiOptions): Route<RouteHandler>[] {
  const { sandboxes, faults } = options
  const settings = object(contract.description.document['x-json-schema-faker'])
  const mocking = { ...options.mocking, settings }
  return contract.operations.map((operation) => ({
    path: operation.path,
    method: operation.method,
    target: serverOf(operation),
  }))

  function serverOf(operation: Operation): RouteHandler {
    const { security } = operation
    const described = contract.description.operations.find(
      ({ method, path }) => method === operation.method && path === operation.prism.path,
    )
    const carryOut = workOf(operation, { ...options, mocking })
    const keyHeader = described?.idempotencyHeader
    return async (request, sent) => {
      const [preferences, target] = preferencesOf(request, sent, mocking)
      try {
        return await serve(request, target, preferences)
      } catch (error) {
        const problem = toProblem(error)
        if (!(problem instanceof Problem) || !described) throw error
        throw formed(await asDeclared(problem, operation, preferences), described, options)
      }
    }

    async function serve(
      request: HttpRequest,
      target: Target,
      preferences: Preferences,
    ): Promise<HttpResponse> {
      const { headers, findings = {} } = request
      findings.isCall = true
      findings.route = operation.path
      const key = authenticate(security, request, target)
      findings.key = key
      await sandboxes?.admit(key, request.onGone)
      const sandbox = faults.isShared ? ((await sandboxes?.of(key)) ?? null) : null
      const fault = await faultFor(request, target, key, sandbox)
      if (fault) findings.fault = fault.text
      const delay = fault?.delay ? pause(fault.delay) : undefined
      const isDone = !fault?.status && fault?.cut !== 'reset'
      // A request with an idempotency key claims the key first, so that a retry meets it during the delay.
      const hasKey = keyHeader !== undefined && headers[keyHeader] !== undefined
      if (!isDone || !hasKey) await delay
      if (fault?.cut === 'reset') return { status: 500, headers: {}, cut: 'reset' }
      if (fault?.status)
        return failing(operation, { ...fault, status: fault.status }, headers.accept)

      const caller = { key, sandbox }
      const work = carryOut(request, target, preferences, caller, delay)
      const response = await work.finally(() => delay)
      return fault?.cut ? { ...response, cut: fault.cut } : response
    }
  }

  async function faultFor(
    { method, headers }: HttpRequest,
    { path }: Target,
    key: string,
    known: Sandbox | null,
  ): Promise<Met | null> {
    const request = { method, path, field: headers['x-mock-fault'] }
    if (!faults.concern(request, known && ownerOf(known))) return null
    const sandbox = known ?? (await sandboxes?.of(key))
    return faults.next(sandbox ? ownerOf(sandbox) : { name: key, sandbox: null }, request)
  }
}

/** How an operation handles an authenticated request. */
function workOf(operation: Operation, { sandboxes, mocking, check: other }: ApiOptions) {
  const fromState = sandboxes?.operations.get(`${operation.method} ${operation.prism.path}`)
  const check = fromState ? byCompiled : other

  return async (
    request: HttpRequest,
    target: Target,
    preferences: Preferences,
    { key, sandbox }: Caller,
    delay: Promise<void> | undefined,
  ): Promise<HttpResponse> => {
    checkServed(operation)
    const { headers } = request
    const { body, warnings } = await readRequest(operation, request, target, check)
    if (!sandboxes || !fromState || hasPreference(preferences)) {
      return respond(operation, preferences, headers.accept, mocking, warnings)
    }
    checkAccept(operation, headers.accept)
    return fromState({
      sandbox: sandbox ?? (await sandboxes.of(key)),
      path: parametersOf(operation.path, target.path),
      query: new Map(target.query),
      headers,
      body: body?.value,
      pause: async () => {
        await delay
        return sandboxes.of(key)
      },
    })
  }
}

/** The preferences of a request, and its target without them. The header's win. */
function preferencesOf(
  { headers }: HttpRequest,
  sent: Target,
  { hasQueryPreferences }: Mocking,
): [Preferences, Target] {
  const preferred = parsePrefer(headers.prefer)
  if (!hasQueryPreferences) return [preferred, sent]
  const [taken, target] = takePreferences(sent)
  return [{ ...taken, ...preferred }, target]
}

/** Gives a problem the form that the contract gives to errors of an operation. */
function formed(problem: Problem, described: Described, { problems, drift }: ApiOptions): Problem {
  // What this server cannot do is no error of the contract: its form would hide the reason.
  if (problem.status === 501) return problem
  problem.dress ??= (response, requestId) => {
    try {
      const dressed = problems.dress(described, response)
      drift?.response(described, dressed)
      return dressed
    } catch (cause) {
      if (cause instanceof Drift) return problemResponse(cause, requestId)
      throw cause
    }
  }
  return problem
}

/** Whether a request prefers a response of the contract. */
function hasPreference({ code, example, dynamic }: Preferences): boolean {
  return code !== undefined || example !== undefined || dynamic !== undefined
}

/** The contract's response for a status, or a plain problem if it declares none. */
async function failing(
  operation: Operation,
  { status, retryAfter, origin }: Met & { status: number },
  accept: string | undefined,
): Promise<HttpResponse> {
  // The wait of an example is left out: a test wants the failure, not half a minute.
  const wait: Record<string, string> =
    retryAfter === null ? {} : { 'retry-after': String(retryAfter) }
  const detail = `${titleOf(status)}, as ${origin} requested.`
  const plain = new Problem(status, 'requested_fault', detail, { headers: wait })
  if (!declares(operation, status)) throw plain
  try {
    const { headers, ...response } = await respond(operation, { code: String(status) }, accept)
    const { 'retry-after': _, ...others } = headers
    return { ...response, headers: { ...others, ...wait } }
  } catch {
    throw plain
  }
}

/** Does not keep a closed server's process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
