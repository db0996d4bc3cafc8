/** Answers the operations of the contract: from the sandbox where it holds state, else by Prism. */
import { answer, checkAccept, declares } from './contract/answer.ts'
import { byCompiled } from './contract/compiled.ts'
import type { Contract, Operation } from './contract/load.ts'
import { readRequest } from './contract/request.ts'
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

export type Answer = (request: HttpRequest, target: Target) => Promise<HttpResponse>

/** The routes of the contract. */
export function apiRoutes(contract: Contract, sandboxes: Sandboxes | null): Route<Answer>[] {
  const faults = new Faults((turn) => seededChance(turn, 0))
  return contract.operations.map((operation) => ({
    path: operation.path,
    method: operation.method,
    target: serverOf(operation),
  }))

  function serverOf(operation: Operation): Answer {
    const { security } = operation
    const carryOut = workOf(operation, sandboxes)
    return async (request, target) => {
      const { headers } = request
      const key = authenticate(security, request, target)
      const fault = await faultFor(request, target, key)
      const delay = fault?.delay ? pause(fault.delay) : undefined
      const isDone = !fault?.status && fault?.cut !== 'reset'
      // What has an idempotency key claims it first, so that a repeat meets it while it waits.
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
    const wish = headers['x-mock-fault']
    if (wish === undefined) return null
    // A reset begins another generation, for which nothing was counted yet.
    const sandbox = await sandboxes?.of(key)
    const owner = sandbox ? `${sandbox.id}.${sandbox.generation}` : key
    return faults.next(wish, owner, `${method} ${path}`)
  }
}

/** What an operation does with a request whose sender is known. */
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
    if (!sandboxes || !fromState || isWish(preferences)) {
      return answer(operation, preferences, headers.accept)
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

/** Whether a request asks for one of the contract's own answers. */
function isWish({ code, example }: Preferences): boolean {
  return code !== undefined || example !== undefined
}

/** The answer that the contract has for a failure, or a plain one where it has none. */
async function failing(
  operation: Operation,
  status: number,
  accept: string | undefined,
): Promise<HttpResponse> {
  const plain = new Problem(status, 'requested_fault', `${titleOf(status)}, as x-mock-fault asked.`)
  if (!declares(operation, status)) throw plain
  try {
    const { headers, ...response } = await answer(operation, { code: String(status) }, accept)
    // Whoever is told to wait waits: a test asks for the failure, not for half a minute.
    const { 'retry-after': _, ...others } = headers
    return { ...response, headers: others }
  } catch {
    throw plain
  }
}

/** Keeps nobody waiting who has closed the server. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
