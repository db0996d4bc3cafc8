/** The control API, as `control.yaml` describes it. */
import type { RouteHandler } from '../api.ts'
import { packageVersion } from '../assets.ts'
import { byCompiled } from '../contract/compiled.ts'
import { Drift, DriftCheck } from '../contract/drift.ts'
import type { Operation } from '../contract/load.ts'
import { readRequest } from '../contract/request.ts'
import { lastingSecret } from '../delivery/secret.ts'
import { authenticate } from '../door/auth.ts'
import { type HttpRequest, type HttpResponse, json, jsonText, text } from '../door/message.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { Faults } from '../faults/faults.ts'
import { harOf } from '../record/har.ts'
import { type CodeForm, codeOf } from '../requests/code.ts'
import type { Requests } from '../requests/requests.ts'
import { shownOf } from '../requests/shown.ts'
import { ownerOf, type Revision, type Sandboxes } from '../sandbox/sandboxes.ts'
import { summaryOf, timestamp } from '../sandbox/shapes.ts'
import type {
  Conversation,
  DeliveryFilter,
  Endpoint,
  Event,
  Sandbox,
  Snapshot,
} from '../store/types.ts'
import { advanceBy } from './clock.ts'
import { publishedFor } from './document.ts'
import { checkUrl } from './endpoint-url.ts'
import { type GuardOptions, guard } from './guard.ts'
import { keyOr } from './key.ts'
import { overviewOf } from './overview.ts'
import { dated, LISTED, whole } from './shown.ts'

export interface ControlOptions extends GuardOptions {
  requests: Requests
  faults: Faults
  /** The key for requests without one; null where all need one. */
  usualKey: string | null
  /** The paths of the API. */
  paths: readonly string[]
}

interface ControlRequest {
  key: string
  sandbox: Sandbox
  path: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  // Already checked against control.yaml.
  // biome-ignore lint/suspicious/noExplicitAny: the shapes are those of control.yaml
  body: any
  onGone: HttpRequest['onGone']
}

type Handler = (request: ControlRequest) => Promise<HttpResponse>

/** How an event contradicts the contract, for a header; empty where it does not. */
function warningOf(check: DriftCheck, { kind, body }: Event): string {
  try {
    check.event(kind, body)
    return ''
  } catch (error) {
    if (error instanceof Drift) return encodeURIComponent(error.message)
    throw error
  }
}

/** Handlers by method and path. */
function handlersOf(
  sandboxes: Sandboxes,
  { requests, faults, paths }: ControlOptions,
): Record<string, Handler> {
  const { life, listeners, store, bindings, revision } = sandboxes
  const checked = new DriftCheck(bindings.forms.description)
  const { conversation: form, message: messageForm } = bindings.parts
  const shown = (conversation: Conversation, status = 200) =>
    json(status, form.of(summaryOf(conversation)), { 'x-mock-id': conversation.id })
  return {
    'POST /_mock/reset': async ({ key, sandbox }) => {
      await sandboxes.reset(sandbox)
      await requests.clear(key)
      return { status: 204, headers: {} }
    },
    'POST /_mock/clock': async ({ sandbox, body }) => {
      return json(200, { now: timestamp(await advanceBy(sandboxes, sandbox, body.advance)) })
    },
    'POST /_mock/conversations': async ({ sandbox, body }) =>
      shown(await life.create(sandbox, body), 201),
    'POST /_mock/conversations/{id}/messages': async ({ sandbox, path: { id = '' }, body }) =>
      jsonText(
        201,
        messageForm.text(await life.message(sandbox, id, { author: 'visitor', ...body })),
      ),
    'POST /_mock/conversations/{id}/handoff': async ({ sandbox, path: { id = '' }, body }) =>
      shown(await life.handoff(sandbox, id, body.reason)),
    'POST /_mock/conversations/{id}/resolve': async ({ sandbox, path: { id = '' } }) =>
      shown(await life.resolve(sandbox, id)),
    'POST /_mock/conversations/{id}/csat': async ({ sandbox, path: { id = '' }, body }) =>
      shown(await life.csat(sandbox, id, body)),
    'GET /_mock/endpoints': async ({ sandbox }) =>
      json(200, { data: (await store.endpoints.list(sandbox)).map(withoutSecret) }),
    'POST /_mock/endpoints': async ({ sandbox, body: { url, events, secret, revision } }) => {
      checkUrl(url)
      const follows = revision === undefined ? sandboxes.revision : sandboxes.known(revision)
      const options = { url, kinds: events, secret, revision: follows }
      return json(201, withSecret(await sandboxes.endpoints.add(sandbox, options)))
    },
    'DELETE /_mock/endpoints/{id}': async ({ sandbox, path: { id = '' } }) => {
      await sandboxes.endpoints.remove(sandbox, id)
      await sandboxes.prune()
      return { status: 204, headers: {} }
    },
    'POST /_mock/endpoints/{id}/rotate': async ({ sandbox, path: { id = '' } }) =>
      json(200, withSecret(await sandboxes.endpoints.rotate(sandbox, id))),
    'POST /_mock/endpoints/{id}/disable': async ({ sandbox, path: { id = '' } }) =>
      json(200, withoutSecret(await sandboxes.endpoints.disable(sandbox, id, true))),
    'POST /_mock/endpoints/{id}/enable': async ({ sandbox, path: { id = '' } }) =>
      json(200, withoutSecret(await sandboxes.endpoints.disable(sandbox, id, false))),
    'POST /_mock/listeners': async ({ key, sandbox, body: { url, events = null, secret } }) => {
      const secrets = { given: secret, usual: lastingSecret(key) }
      const wanted = { url, kinds: events, revision }
      return json(201, withSecret(await listeners.register(sandbox, wanted, secrets)))
    },
    'POST /_mock/listeners/secret': async ({ key, sandbox }) =>
      json(200, { secret: await listeners.secretOf(sandbox, lastingSecret(key)) }),
    'POST /_mock/listeners/{id}/poll': async ({ sandbox, path: { id = '' }, body, onGone }) =>
      json(200, { data: await listeners.poll(sandbox, id, body, onGone) }),
    'POST /_mock/listeners/{id}/results': async ({ sandbox, path: { id = '' }, body }) =>
      json(200, { recorded: await listeners.report(sandbox, id, body.results) }),
    'POST /_mock/trigger': async ({ sandbox, body: { kind, data, copies } }) => {
      const event = await life.emit(sandbox, kind, data, copies)
      const warning = data && event.kind === kind ? warningOf(checked, event) : ''
      return jsonText(201, event.body, warning === '' ? {} : { 'x-mock-warning': warning })
    },
    'GET /_mock/contract': async () =>
      json(200, {
        ...overviewOf(bindings),
        scenario: (await publishedFor(bindings)).scenario,
        ...(revision !== null && { revision, revisions: sandboxes.revisions.map(revisionOf) }),
      }),
    'PUT /_mock/revision': async ({ sandbox, body: { name } }) => {
      await sandboxes.choose(sandbox, name)
      return json(200, { name })
    },
    'GET /_mock/requests': async ({ key, query }) =>
      json(200, {
        data: (await requestsOf(key, query)).map((call) => shownOf(call, requests)),
      }),
    'GET /_mock/requests.har': async ({ key, query }) => {
      const entries = (await requestsOf(key, query)).map((call) => requests.entryOf(call))
      return json(200, harOf(entries.reverse(), packageVersion()))
    },
    'GET /_mock/requests/{id}': async ({ key, path: { id = '' }, query: { as } }) => {
      const call = await requests.get(key, id)
      if (as === undefined) return json(200, shownOf(call, requests))
      return text(200, await codeOf(call, as as CodeForm, requests, requests.baseUrl))
    },
    'POST /_mock/requests/{id}/repeat': async ({ key, path: { id = '' }, body }) => {
      const keepsKey = body.keep_idempotency_key === true
      const made = await requests.repeat(await requests.get(key, id), keepsKey)
      return json(201, shownOf(made, requests))
    },
    'GET /_mock/faults': async ({ sandbox }) =>
      json(200, { data: await faults.rules.list(ownerOf(sandbox)) }),
    'POST /_mock/faults': async ({ sandbox, body }) =>
      json(201, await faults.rules.add(ownerOf(sandbox), body, paths)),
    'DELETE /_mock/faults': async ({ sandbox }) => {
      await faults.rules.clear(ownerOf(sandbox))
      return { status: 204, headers: {} }
    },
    'DELETE /_mock/faults/{id}': async ({ sandbox, path: { id = '' } }) => {
      await faults.rules.remove(ownerOf(sandbox), id)
      return { status: 204, headers: {} }
    },
    'GET /_mock/events': async ({ sandbox }) =>
      json(200, {
        data: (await store.deliveries.events(sandbox, LISTED, undefined, sandboxes.logged)).map(
          ({ body }) => JSON.parse(body),
        ),
      }),
    'GET /_mock/deliveries': async ({ sandbox, query }) =>
      json(200, {
        data: (await store.deliveries.list(sandbox, filterOf(query), LISTED)).map(dated),
        paused: await sandboxes.deliveries.isPaused(sandbox),
      }),
    'POST /_mock/deliveries/pause': async ({ sandbox }) => {
      await sandboxes.deliveries.pause(sandbox)
      return json(200, { paused: true })
    },
    'POST /_mock/deliveries/resume': async ({ sandbox, body }) => {
      await sandboxes.deliveries.resume(sandbox, body.order)
      return json(200, { paused: false })
    },
    'GET /_mock/deliveries/{id}': async ({ sandbox, path: { id = '' } }) => {
      const delivery = await sandboxes.deliveries.get(sandbox, id)
      const { body } = await sandboxes.deliveries.eventOf(sandbox, id)
      const endpoints = await store.endpoints.list(sandbox)
      const url = endpoints.find((one) => one.id === delivery.endpoint_id)?.url ?? ''
      return json(200, whole(delivery, url, body))
    },
    'POST /_mock/deliveries/{id}/cancel': async ({ sandbox, path: { id = '' } }) =>
      json(200, dated(await sandboxes.deliveries.cancel(sandbox, id))),
    'POST /_mock/deliveries/{id}/retry': async ({ sandbox, path: { id = '' } }) =>
      json(202, dated(await sandboxes.deliveries.retry(sandbox, id))),
    'POST /_mock/deliveries/{id}/replay': async ({ sandbox, path: { id = '' } }) =>
      json(202, dated(await sandboxes.deliveries.replay(sandbox, id))),
    'POST /_mock/replay': async ({ sandbox, body }) =>
      json(202, {
        replayed: await sandboxes.deliveries.replayAll(sandbox, {
          // Of one event, all.
          ...(body.event === undefined && { state: 'dead' }),
          ...filterOf(body),
        }),
      }),
    'GET /_mock/snapshots': async ({ sandbox }) =>
      json(200, { data: (await sandboxes.snapshots.list(sandbox)).map(datedSnapshot) }),
    'POST /_mock/snapshots': async ({ sandbox, body: { name } }) =>
      json(201, datedSnapshot(await sandboxes.snapshots.take(sandbox, name))),
    'POST /_mock/snapshots/{name}/restore': async ({ key, sandbox, path: { name = '' } }) => {
      await sandboxes.snapshots.restore(sandbox, name)
      return json(200, { now: timestamp(life.now(await sandboxes.of(key))) })
    },
    'DELETE /_mock/snapshots/{name}': async ({ sandbox, path: { name = '' } }) => {
      await sandboxes.snapshots.remove(sandbox, name)
      return { status: 204, headers: {} }
    },
  }

  function requestsOf(key: string, { limit = '100', ...filter }: Record<string, string>) {
    return requests.chosen(key, filter, Number(limit))
  }
}

/** The routes of `control.yaml`. */
export function controlRoutes(
  operations: readonly Operation[],
  sandboxes: Sandboxes,
  options: ControlOptions,
): Route<RouteHandler>[] {
  const handlers = handlersOf(sandboxes, options)
  return operations.flatMap((operation) => {
    const { method, path } = operation
    const handler = handlers[`${method} ${path}`]
    if (!handler) throw new Error(`control.yaml describes ${method} ${path}, which has no handler`)
    return [{ method, path, target: routed(operation, handler) }]
  })

  function routed(operation: Operation, handler: Handler): RouteHandler {
    return async (request, target) => {
      guard(request, options)
      const key = keyOr(authenticate(operation.security, request, target), options.usualKey)
      await sandboxes.admit(key, request.onGone)
      const { body } = await readRequest(operation, request, target, byCompiled)
      return handler({
        key,
        sandbox: await sandboxes.of(key),
        path: parametersOf(operation.path, target.path),
        query: Object.fromEntries(target.query),
        body: body?.value,
        onGone: request.onGone,
      })
    }
  }
}

/** A filter whose times are text. */
function filterOf({ since, until, ...filter }: Record<string, string>): DeliveryFilter {
  return {
    ...filter,
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(until !== undefined && { until: Date.parse(until) }),
  }
}

function revisionOf({ name, bindings, renames }: Revision) {
  const named = renames.map(({ isCertain, ...rename }) => ({ ...rename, certain: isCertain }))
  return { name, ...overviewOf(bindings), renames: named }
}

function withoutSecret({ id, url, kinds, revision, isDisabled = false }: Endpoint) {
  return { id, url, events: kinds, disabled: isDisabled, ...(revision && { revision }) }
}

function datedSnapshot({ name, at }: Snapshot) {
  return { name, at: timestamp(at) }
}

function withSecret(endpoint: Endpoint) {
  return { ...withoutSecret(endpoint), secret: endpoint.secret }
}
