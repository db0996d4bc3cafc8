import type { Operation, Response } from '../../model/types.ts'
import { adder, type Pair } from './operations.ts'
import { isError } from './side.ts'
import type { Slot, Types } from './types.ts'

export function compareRequestBodies(types: Types, pair: Pair): void {
  const add = adder(types, pair)
  const [old, now] = [pair.before.body, pair.after.body]
  if (!old || !now) {
    if (now) add(now.required ? 'request-body-added-required' : 'request-body-added')
    if (old) add('request-body-removed')
    return
  }
  if (old.required !== now.required) {
    add(now.required ? 'request-body-became-required' : 'request-body-became-optional')
  }
  if (old.contentType !== now.contentType) {
    add('request-content-type-changed', old.contentType, now.contentType)
  }
  const before = types.before.requestBody(pair.before)
  const after = types.after.requestBody(pair.after)
  types.compare(old.type, now.type, {
    ...slotOf(pair, 'request', 'request-body'),
    before: before.pointer,
    after: after.pointer,
  })
}

export function compareResponses(types: Types, pair: Pair): void {
  compareSuccesses(types, pair)
  compareErrors(types, pair)
}

function compareSuccesses(types: Types, pair: Pair): void {
  const add = adder(types, pair)
  const successes = (operation: Operation) =>
    operation.responses.filter((response) => !isError(response, operation))
  const [old, now] = [successes(pair.before), successes(pair.after)]
  const isOne = old.length === 1 && now.length === 1
  const found = new Set<Response>()
  for (const response of old) {
    const partner = isOne ? now[0] : now.find(({ status }) => status === response.status)
    if (!partner) {
      add('response-status-removed', response.status)
      continue
    }
    found.add(partner)
    if (response.status !== partner.status) {
      add('response-status-changed', response.status, partner.status)
    }
    compareBodies(types, pair, response, partner)
  }
  for (const response of now.filter((one) => !found.has(one))) {
    add('response-status-added', undefined, response.status)
  }
}

function compareBodies(types: Types, pair: Pair, old: Response, now: Response): void {
  const add = adder(types, pair)
  if (!old.body || !now.body) {
    if (now.body) add('response-body-added')
    if (old.body) add('response-body-removed')
    return
  }
  if (old.body.format !== now.body.format) {
    add('response-content-type-changed', old.body.contentType, now.body.contentType)
    return
  }
  // The SDKs hand out the items of pages, and nothing else of them.
  if (pair.before.page || pair.after.page) return
  types.compare(old.body.type, now.body.type, {
    ...slotOf(pair, 'response', 'response'),
    before: types.before.response(pair.before, old).pointer,
    after: types.after.response(pair.after, now).pointer,
  })
}

/** A status that several operations gain or lose is one change. */
function compareErrors(types: Types, pair: Pair): void {
  const errors = (operation: Operation) =>
    new Map(
      operation.responses
        .filter((response) => isError(response, operation))
        .map((response) => [response.status, response]),
    )
  const [old, now] = [errors(pair.before), errors(pair.after)]
  const add = (kind: string, status: string, values: { before?: string; after?: string }) =>
    types.findings.add({
      kind,
      key: `errors/${status}`,
      before: pair.before.pointer,
      after: pair.after.pointer,
      subject: { of: 'operation', operation: pair.before },
      named: 'before',
      values,
      users: [pair.after.id],
    })
  for (const [status, response] of old) {
    const partner = now.get(status)
    if (!partner) {
      add('error-status-removed', status, { before: status })
    } else if (response.body && partner.body) {
      const type = types.told(response.body.type, types.before)
      const slot = slotOf(pair, 'error', 'error')
      const before = types.before.response(pair.before, response).pointer
      const after = types.after.response(pair.after, partner).pointer
      types.compare(response.body.type, partner.body.type, {
        ...slot,
        key: `errors/${type}`,
        before,
        after,
      })
    }
  }
  for (const status of now.keys()) {
    if (!old.has(status)) add('error-status-added', status, { after: status })
  }
}

function slotOf(
  { before, after }: Pair,
  direction: Slot['direction'],
  prefix: Slot['prefix'],
): Slot {
  return {
    direction,
    prefix,
    key: before.id,
    subject: { of: 'operation', operation: before },
    before: before.pointer,
    after: after.pointer,
    users: () => [after.id],
  }
}
