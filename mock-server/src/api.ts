/** Handles the operations of the contract: from the sandbox if it holds their state, else with Prism. */

import { byCompiled } from './contract/compiled.ts'
import type { Contract, Operation } from './contract/load.ts'
import { readRequest } from './contract/request.ts'
import { checkAccept, declares, respond } from './contract/respond.ts'
import { byPrism } from './contract/validate.ts'
import { seededChance } from './delivery/schedule.ts'
import { authenticate } from './door/auth.ts'
import { type Fault, Faults } from './door/fault.ts'
import type { HttpRequest, HttpResponse } from './door/message.ts'
import { type Preferences, parsePrefer } from './door/prefer.ts'
import { Problem, titleOf } from './door/problem.ts'
import { parametersOf, type Route } from './door/router.ts'
import type { Target } from './door/target.ts'
import type { Sandboxes } from './sandbox/sandboxes.ts'

/** Handles a request whose route is known. */
export type RouteHandler = (request: HttpRequest, target: Target) => Promise<HttpResponse>

/** The routes of the contract. */
export function apiRoutes(contract: Contract, sandboxes: Sandboxes | null): Route<RouteHandler>[] {
  const faults = new Faults((turn) => seededChance(turn, 0))
  return contract.operations.map((operation) => ({
    path: operation.path,
    method: operation.method,
    target: serverOf(operation),
  }))

  function serverOf(operation: Operation): RouteHandler {
    const { security } = operation
    const carryOut = workOf(operation, sandboxes)
    return async (request, target) => {
      const { headers } = request
      const key = authenticate(security, request, target)
      const fault = await faultFor(request, target, key)
      const delay = fault?.delay ? pause(fault.delay) : undefined
      const isDone = !fault?.status && fault?.cut !== 'reset'
      // A request with an idempotency key claims the key first, so that a retry meets it during the delay.
      if (!isDone || headers['idempotency-key'] === undefined) await delay
      if (fault?.cut === 'reset') return { status: 500, headers: {}, cut: 'reset' }
      if (fault?.status) return failing(operation, fault.status, headers.accept)

      const response = await carryOut(request, target, key, delay).finally(() => delay)
      return fault?.cut ? { ...response, cut: fault.cut } : response
    }
  }

  async function faultFor(
    { method, headers }: HttpRequest,
    { path }: Target,
    key: string,
  ): Promise<Fault | null> {
    const field = headers['x-mock-fault']
    if (field === undefined) return null
    // A reset starts a new generation, whose requests are counted from zero.
    const sandbox = await sandboxes?.of(key)
    const owner = sandbox ? `${sandbox.id}.${sandbox.generation}` : key
    return faults.next(field, owner, `${method} ${path}`)
  }
}

/** How an operation handles an authenticated request. */
function workOf(operation: Operation, sandboxes: Sandboxes | null) {
  const fromState = sandboxes?.operations.get(`${operation.method} ${operation.path}`)
  const check = fromState ? byCompiled : byPrism

  return async (
    request: HttpRequest,
    target: Target,
    key: string,
    delay: Promise<void> | undefined,
  ): Promise<HttpResponse> => {
    const { headers } = request
    const body = await readRequest(operation, request, target, check)
    const preferences = parsePrefer(headers.prefer)
    if (!sandboxes || !fromState || hasPreference(preferences)) {
      return respond(operation, preferences, headers.accept)
    }
    checkAccept(operation, headers.accept)
    return fromState({
      sandbox: await sandboxes.of(key),
      path: parametersOf(operation.path, target.path),
      query: new Map(target.query),
      body: body?.value,
      key: headers['idempotency-key'],
      pause: async () => {
        await delay
        return sandboxes.of(key)
      },
    })
  }
}

/** Whether a request prefers a response of the contract. */
function hasPreference({ code, example }: Preferences): boolean {
  return code !== undefined || example !== undefined
}

/** The contract's response for a status, or a plain problem if it declares none. */
async function failing(
  operation: Operation,
  status: number,
  accept: string | undefined,
): Promise<HttpResponse> {
  const plain = new Problem(
    status,
    'requested_fault',
    `${titleOf(status)}, as x-mock-fault requested.`,
  )
  if (!declares(operation, status)) throw plain
  try {
    const { headers, ...response } = await respond(operation, { code: String(status) }, accept)
    // A client would wait as long as it says, but a test wants the failure, not half a minute.
    const { 'retry-after': _, ...others } = headers
    return { ...response, headers: others }
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
