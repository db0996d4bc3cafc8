/** The dashboard: pages at `/` and under `/dashboard`. */
import { readFile } from 'node:fs/promises'
import type { RouteHandler } from '../api.ts'
import { DASHBOARD, packageVersion } from '../assets.ts'
import type { Contract } from '../contract/load.ts'
import { checkToken, type GuardOptions, guardPage } from '../control/guard.ts'
import { keyOr } from '../control/key.ts'
import { isLiveKey } from '../door/auth.ts'
import { type HttpRequest, type HttpResponse, json } from '../door/message.ts'
import { invalid, Problem, titleOf } from '../door/problem.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { Target } from '../door/target.ts'
import type { Faults } from '../faults/faults.ts'
import { file } from '../pages/file.ts'
import { harOf } from '../record/har.ts'
import type { Requests } from '../requests/requests.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import { ACTIONS, NOTICES, PAGES_OF } from './actions.ts'
import { contract } from './contract.ts'
import { conversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { dropCookie, keepCookie, readCookie } from './cookies.ts'
import { deadLetters, deliveries } from './deliveries.ts'
import { delivery } from './delivery.ts'
import { endpoints } from './endpoints.ts'
import { event } from './event.ts'
import { events } from './events.ts'
import { faults } from './faults.ts'
import { type Limits, readForm } from './form.ts'
import { fragment, page, problemPage, signInPage, tokenPage, type View } from './layout.ts'
import { overview } from './overview.ts'
import { BASE } from './parts.ts'
import { request } from './request.ts'
import { requests } from './requests.ts'
import { seeOther, written } from './responses.ts'
import type { ShownOnce } from './shown-once.ts'
import { snapshots } from './snapshots.ts'
import type { Visit } from './visit.ts'

/** By path. */
const VIEWS: Readonly<Record<string, (visit: Visit) => Promise<View>>> = {
  '/': overview,
  [`${BASE}/conversations`]: conversations,
  [`${BASE}/conversations/{id}`]: conversation,
  [`${BASE}/deliveries`]: deliveries,
  [`${BASE}/deliveries/{id}`]: delivery,
  [`${BASE}/dead`]: deadLetters,
  [`${BASE}/endpoints`]: endpoints,
  [`${BASE}/events`]: events,
  [`${BASE}/events/{id}`]: event,
  [`${BASE}/requests`]: requests,
  [`${BASE}/requests/{id}`]: request,
  [`${BASE}/faults`]: faults,
  [`${BASE}/snapshots`]: snapshots,
  [`${BASE}/contract`]: contract,
}

const TYPES = {
  'base.css': 'text/css; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'htmx.js': 'text/javascript; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
}

const WRONG_TOKEN =
  'Wrong control token. Check the variable that was passed to --control-token-env.'

/** Redirects the base path to the first page. */
const HOME: HttpResponse = { status: 302, headers: { location: '/', 'cache-control': 'no-store' } }

/** How much of a key is shown: what all have, and what tells it from others. */
const PREFIX = 'sk_test_'.length
const HINT = 4

/** The characters of a bearer token. */
const KEY = /^[\x21-\x7e]+$/

interface Options extends GuardOptions {
  limits: Limits
  secrets: ShownOnce
  requests: Requests
  faults: Faults
  /** The key for visitors without one; null where they sign in with one. */
  usualKey: string | null
  paths: readonly string[]
  contract: Contract
  isShipped: boolean
}

/** The routes of the pages. */
export function dashboardRoutes(sandboxes: Sandboxes, options: Options): Route<RouteHandler>[] {
  const { limits, secrets, requests: log, contract, isShipped, scheme = 'http:' } = options
  const isSignedIn = options.usualKey === null
  return [
    ...Object.entries(VIEWS).map(([path, view]) =>
      route('GET', path, async (request, target) => {
        const visit = await visitOf(path, request, target)
        const found = await view(visit)
        const isRefresh = request.headers['hx-request'] === 'true'
        return isRefresh ? refreshed(found, visit) : shown(found, visit)
      }),
    ),
    ...Object.entries(ACTIONS).map(([path, action]) =>
      route('POST', path, async (request, target) => {
        const form = await readForm(request, limits)
        const visit = await visitOf(path, request, target)
        try {
          return seeOther(await action({ ...visit, form }))
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          return refused(pageOf(path), { ...visit, form }, error)
        }
      }),
    ),
    {
      method: 'GET',
      path: `${BASE}/requests.har`,
      target: withToken(async (request, target) => {
        const filter = Object.fromEntries(target.query)
        const key = await admitted(request)
        const calls = await log.chosen(key, filter, Number.MAX_SAFE_INTEGER)
        const entries = calls.map((call) => log.entryOf(call)).reverse()
        return json(200, harOf(entries, packageVersion()), { 'cache-control': 'no-store' })
      }),
    },
    route('POST', `${BASE}/key`, async (request) => {
      const key = (await readForm(request)).required('key').trim()
      if (isLiveKey(key)) throw invalid('Never send a live key to a mock server.')
      if (!KEY.test(key))
        throw invalid('An API key must have only printable ASCII characters and no spaces.')
      await sandboxes.admit(key, request.onGone)
      return seeOther('/?done=key', keepCookie('mock_key', key, scheme))
    }),
    route('POST', `${BASE}/sign-out`, async () => seeOther('/', dropCookie('mock_key', scheme))),
    ...[BASE, `${BASE}/`].map((path) => ({ method: 'GET', path, target: async () => HOME })),
    { method: 'POST', path: `${BASE}/token`, target: withProblemPages(takeToken) },
    ...Object.entries(TYPES).map(([name, type]) => ({
      method: 'GET',
      path: `${BASE}/${name}`,
      target: file(() => readFile(new URL(name, DASHBOARD)), type),
    })),
  ]

  function route(method: string, path: string, work: RouteHandler): Route<RouteHandler> {
    return { method, path, target: withToken(work) }
  }

  /** Requires the token if the server has one. */
  function withToken(work: RouteHandler): RouteHandler {
    return withProblemPages(async (request, target) => {
      const token = readCookie(request, 'mock_token')
      if (options.token !== null && token === undefined) return written(tokenPage(null), 401)
      checkToken(token, options.token)
      return work(request, target)
    })
  }

  /** Returns errors as pages, too. */
  function withProblemPages(work: RouteHandler): RouteHandler {
    return async (request, target) => {
      try {
        guardPage(request, options)
        return await work(request, target)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.code === 'token_missing') return written(tokenPage(WRONG_TOKEN), 401)
        if (error.status === 401 && isSignedIn) {
          return written(signInPage(wasSent(request) ? error.message : null), 401)
        }
        return written(problemPage(titleOf(error.status), error.message), error.status)
      }
    }
  }

  async function takeToken(request: HttpRequest): Promise<HttpResponse> {
    const token = (await readForm(request)).required('token')
    checkToken(token, options.token)
    return seeOther('/', keepCookie('mock_token', token, scheme))
  }

  /** The key of a visitor, who may send this request. @throws {Problem} 401, 429 */
  async function admitted(request: HttpRequest): Promise<string> {
    const key = keyOr(pageKeyOf(request) ?? '', options.usualKey)
    await sandboxes.admit(key, request.onGone)
    return key
  }

  async function visitOf(template: string, request: HttpRequest, target: Target): Promise<Visit> {
    const key = await admitted(request)
    return {
      sandboxes,
      requests: log,
      secrets,
      faults: options.faults,
      paths: options.paths,
      limits,
      operations: contract.operations,
      isShipped,
      baseUrl: `${scheme}//${request.headers.host}`,
      key,
      shownKey: isSignedIn ? hintOf(key) : key,
      sandbox: await sandboxes.of(key),
      path: parametersOf(template, target.path),
      query: new Map(target.query),
    }
  }

  async function shown(view: View, visit: Visit): Promise<HttpResponse> {
    const { shownKey: key, sandbox, query } = visit
    const notice = NOTICES.get(query.get('done') ?? '')
    const now = sandboxes.life.now(sandbox)
    return written(page(view, { key, isSignedIn, now, notice }), 200)
  }

  function refreshed(view: View, { sandbox }: Visit): Promise<HttpResponse> {
    return written(fragment(view, sandboxes.life.now(sandbox)), 200)
  }

  /** The page of a form that was refused, with what was typed and the reason. */
  async function refused(path: string, visit: Visit, problem: Problem): Promise<HttpResponse> {
    const { shownKey: key, sandbox } = visit
    // The page's own address has a query, which its form does not send.
    const view = await VIEWS[path]?.({ ...visit, query: new Map() }).catch(() => undefined)
    if (!view) throw problem
    const now = sandboxes.life.now(sandbox)
    const address = path.replace('{id}', encodeURIComponent(visit.path.id ?? ''))
    return written(
      page({ ...view, address }, { key, isSignedIn, now, problem: problem.message }),
      problem.status,
    )
  }
}

/** The page of a form, by the path of its action. */
function pageOf(action: string): string {
  const own = [PAGES_OF[action] ?? action, action.replace(/\/\w+$/, '')]
  return own.find((path) => Object.hasOwn(VIEWS, path)) ?? '/'
}

/** Whether a path is one of the dashboard's. */
export function isPage(path: string): boolean {
  return path === '/' || path === BASE || path.startsWith(`${BASE}/`)
}

/** Whether a visitor sent a key, with this request or an earlier one. */
function wasSent(request: HttpRequest): boolean {
  return request.method === 'POST' || readCookie(request, 'mock_key') !== undefined
}

/** A key as a page shows it that others may look at. */
function hintOf(key: string): string {
  return `${key.slice(0, PREFIX)}…${key.slice(-HINT)}`
}

/** The key of the sandbox that the dashboard shows; undefined if there is none. */
export function pageKeyOf(request: HttpRequest): string | undefined {
  const key = readCookie(request, 'mock_key') ?? ''
  return KEY.test(key) && !isLiveKey(key) ? key : undefined
}
