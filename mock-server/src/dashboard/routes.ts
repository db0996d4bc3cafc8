/** The dashboard: pages at `/` and under `/dashboard`. */
import { readFile } from 'node:fs/promises'
import type { RouteHandler } from '../api.ts'
import { DASHBOARD } from '../assets.ts'
import { checkToken, type GuardOptions, guardPage } from '../control/guard.ts'
import { DEFAULT_KEY } from '../control/key.ts'
import { isLiveKey } from '../door/auth.ts'
import type { HttpRequest, HttpResponse } from '../door/message.ts'
import { invalid, Problem, titleOf } from '../door/problem.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { Target } from '../door/target.ts'
import { file } from '../pages/file.ts'
import type { RequestLog } from '../requests/log.ts'
import type { Sandboxes } from '../sandbox/sandboxes.ts'
import { ACTIONS, NOTICES } from './actions.ts'
import { contract } from './contract.ts'
import { conversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { keepCookie, readCookie } from './cookies.ts'
import { deadLetters, deliveries } from './deliveries.ts'
import { delivery } from './delivery.ts'
import { endpoints } from './endpoints.ts'
import { events } from './events.ts'
import { type Limits, readForm } from './form.ts'
import { POLICY, page, problemPage, tokenPage, type View } from './layout.ts'
import { BASE, type Html } from './parts.ts'
import type { ShownOnce } from './shown-once.ts'
import type { Visit } from './visit.ts'

/** By path. */
const VIEWS: Readonly<Record<string, (visit: Visit) => Promise<View>>> = {
  '/': conversations,
  [`${BASE}/conversations/{id}`]: conversation,
  [`${BASE}/deliveries`]: deliveries,
  [`${BASE}/deliveries/{id}`]: delivery,
  [`${BASE}/dead`]: deadLetters,
  [`${BASE}/endpoints`]: endpoints,
  [`${BASE}/events`]: events,
  [`${BASE}/contract`]: contract,
}

const TYPES = {
  'style.css': 'text/css; charset=utf-8',
  'htmx.js': 'text/javascript; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
}

const WRONG_TOKEN =
  'Wrong control token. Check the variable that was passed to --control-token-env.'

/** Redirects the base path to the first page. */
const HOME: HttpResponse = { status: 302, headers: { location: '/', 'cache-control': 'no-store' } }

/** The characters of a bearer token. */
const KEY = /^[\x21-\x7e]+$/

/** The routes of the pages. */
export function dashboardRoutes(
  sandboxes: Sandboxes,
  options: GuardOptions & { limits: Limits; secrets: ShownOnce; requests: RequestLog },
): Route<RouteHandler>[] {
  const { limits, secrets, requests } = options
  return [
    ...Object.entries(VIEWS).map(([path, view]) =>
      route('GET', path, async (request, target) => {
        const visit = await visitOf(path, request, target)
        return shown(await view(visit), visit)
      }),
    ),
    ...Object.entries(ACTIONS).map(([path, action]) =>
      route('POST', path, async (request, target) => {
        const form = await readForm(request, limits)
        const visit = await visitOf(path, request, target)
        return seeOther(await action({ ...visit, form }))
      }),
    ),
    route('POST', `${BASE}/key`, async (request) => {
      const key = (await readForm(request)).required('key').trim()
      if (isLiveKey(key)) throw invalid('Never send a live key to a mock server.')
      if (!KEY.test(key))
        throw invalid('An API key must have only printable ASCII characters and no spaces.')
      return seeOther('/?done=key', keepCookie('mock_key', key))
    }),
    ...[BASE, `${BASE}/`].map((path) => ({ method: 'GET', path, target: async () => HOME })),
    { method: 'POST', path: `${BASE}/token`, target: withProblemPages(takeToken) },
    ...Object.entries(TYPES).map(([name, type]) => ({
      method: 'GET',
      path: `${BASE}/${name}`,
      target: file(() => readFile(new URL(name, DASHBOARD)), type),
    })),
  ]

  /** A route that requires the token if the server has one. */
  function route(method: string, path: string, work: RouteHandler): Route<RouteHandler> {
    const target = withProblemPages(async (request, target) => {
      const token = readCookie(request, 'mock_token')
      if (options.token !== null && token === undefined) return written(tokenPage(null), 401)
      checkToken(token, options.token)
      return work(request, target)
    })
    return { method, path, target }
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
        return written(problemPage(titleOf(error.status), error.message), error.status)
      }
    }
  }

  async function takeToken(request: HttpRequest): Promise<HttpResponse> {
    const token = (await readForm(request)).required('token')
    checkToken(token, options.token)
    return seeOther('/', keepCookie('mock_token', token))
  }

  async function visitOf(template: string, request: HttpRequest, target: Target): Promise<Visit> {
    const key = pageKeyOf(request)
    return {
      sandboxes,
      requests,
      secrets,
      limits,
      key,
      sandbox: await sandboxes.of(key),
      path: parametersOf(template, target.path),
      query: new Map(target.query),
    }
  }

  async function shown(view: View, visit: Visit): Promise<HttpResponse> {
    const { key, sandbox, query } = visit
    const notice = NOTICES.get(query.get('done') ?? '')
    const now = sandboxes.life.now(sandbox)
    return written(page(view, { key, now, notice }), 200)
  }
}

/** Whether a path is one of the dashboard's. */
export function isPage(path: string): boolean {
  return path === '/' || path === BASE || path.startsWith(`${BASE}/`)
}

/** The key of the sandbox that the dashboard shows. */
export function pageKeyOf(request: HttpRequest): string {
  const key = readCookie(request, 'mock_key') ?? ''
  return KEY.test(key) && !isLiveKey(key) ? key : DEFAULT_KEY
}

async function written(page: Html, status: number): Promise<HttpResponse> {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      // Without a referrer, browsers would also omit the Origin of forms.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: String(await page),
  }
}

function seeOther(location: string, headers: Record<string, string> = {}): HttpResponse {
  return { status: 303, headers: { ...headers, location, 'cache-control': 'no-store' } }
}
