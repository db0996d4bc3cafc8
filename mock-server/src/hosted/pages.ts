/** The pages of a hosted server about keys: to sign up, to claim a sandbox, and to administrate them. */
import type { RouteHandler } from '../api.ts'
import { durationOf } from '../control/duration.ts'
import { checkToken, guardPage, isEqual } from '../control/guard.ts'
import { dropCookie, keepCookie, readCookie } from '../dashboard/cookies.ts'
import { type Form, readForm } from '../dashboard/form.ts'
import { plainPage } from '../dashboard/layout.ts'
import { BASE } from '../dashboard/parts.ts'
import { seeOther, written } from '../dashboard/responses.ts'
import type { HttpRequest, HttpResponse } from '../door/message.ts'
import { invalid, Problem, titleOf } from '../door/problem.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { Target } from '../door/target.ts'
import { LIMIT_NAMES, type LimitName, type Limits } from '../store/tenants.ts'
import type { Tenants } from './tenants.ts'
import {
  ADMIN,
  adminPage,
  adminTokenPage,
  BACK,
  claimedPage,
  claimPage,
  issuedPage,
  signedUpPage,
} from './views.ts'
import type { Visitors } from './visitors.ts'

export interface PagesOptions {
  tenants: Tenants
  visitors: Visitors
  adminToken: string
  /** How integrators reach the server, without a trailing slash. */
  publicUrl: string
}

const CLAIM = `${BASE}/claim`
const LISTED = 50
const RATE: LimitName = 'requests_per_second'
const WRONG = 'This is not the admin token.'
/** How long a replaced key still works. */
const GRACE = durationOf('PT24H')

const FIELDS = { name: { maxLength: 100 }, token: { maxLength: 10_000 } }

/** The address of the page that claims a sandbox. */
export function claimUrl(publicUrl: string, claim: string): string {
  // Queries are in no log of this server.
  return `${publicUrl}${CLAIM}?secret=${claim}`
}

export function hostedPages(options: PagesOptions): Route<RouteHandler>[] {
  const { tenants, visitors, adminToken, publicUrl } = options
  const { protocol: scheme, hostname: host } = new URL(publicUrl)
  return [
    page('POST', `${BASE}/sign-up`, async (request) => {
      visitors.count(request)
      const { key, claim } = await tenants.offer()
      const link = claimUrl(publicUrl, claim ?? '')
      return written(signedUpPage(key, link), 200, keepCookie('mock_key', key, scheme))
    }),
    page('GET', CLAIM, async (_, { query }) => {
      const { secret = '' } = Object.fromEntries(query)
      return written(claimPage(CLAIM, secret), 200)
    }),
    page('POST', CLAIM, async (request) => {
      const form = await readForm(request, FIELDS)
      const secret = form.optional('secret') ?? ''
      const { name: claimed } = await tenants.claim(secret, form.required('name').trim())
      return written(claimedPage(claimed), 200)
    }),
    page('POST', `${ADMIN}/token`, async (request) => {
      const token = (await readForm(request, FIELDS)).required('token')
      checkToken(token, adminToken)
      return seeOther(ADMIN, keepCookie('mock_admin', token, scheme))
    }),
    admin('POST', `${ADMIN}/sign-out`, async () =>
      seeOther(ADMIN, dropCookie('mock_admin', scheme)),
    ),
    admin('GET', ADMIN, async (_, { query }) => {
      const { before } = Object.fromEntries(query)
      const keys = await tenants.list(LISTED + 1, before)
      const shown = keys.slice(0, LISTED).map((one) => ({ ...one, limits: tenants.limitsOf(one) }))
      const next = keys.length > LISTED ? shown.at(-1)?.id : undefined
      return written(adminPage(shown, next), 200)
    }),
    admin('POST', `${ADMIN}/keys`, async (request) => {
      const form = await readForm(request, FIELDS)
      const { tenant, key } = await tenants.issue(form.required('name').trim())
      return written(issuedPage(tenant.name, key), 200)
    }),
    action('rename', async (id, form) => {
      await tenants.change(id, { name: form.required('name').trim() })
    }),
    action('limits', async (id, form) => {
      await tenants.change(id, { limits: limitsFrom(form) })
    }),
    action('revoke', async (id) => {
      await tenants.revoke(id)
    }),
    admin('POST', `${ADMIN}/keys/{id}/rotate`, async (_, { path }) => {
      const { id = '' } = parametersOf(`${ADMIN}/keys/{id}/rotate`, path)
      const { tenant, key } = await tenants.rotate(id, GRACE)
      return written(issuedPage(tenant.name, key), 200)
    }),
  ]

  /** A form about a key, after which the list is shown again. */
  function action(name: string, work: (id: string, form: Form) => Promise<void>) {
    const template = `${ADMIN}/keys/{id}/${name}`
    return admin('POST', template, async (request, { path }) => {
      await work(parametersOf(template, path).id ?? '', await readForm(request, FIELDS))
      return seeOther(ADMIN)
    })
  }

  function admin(method: string, path: string, work: Work): Route<RouteHandler> {
    return page(method, path, async (request, target) => {
      const token = readCookie(request, 'mock_admin')
      if (token === undefined) return written(adminTokenPage(null), 401)
      if (!isEqual(token, adminToken)) return written(adminTokenPage(WRONG), 401)
      return work(request, target)
    })
  }

  function page(method: string, path: string, work: Work): Route<RouteHandler> {
    const target = async (request: HttpRequest, target: Target): Promise<HttpResponse> => {
      try {
        guardPage(request, { host, scheme })
        return await work(request, target)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        if (error.code === 'token_missing') return written(adminTokenPage(WRONG), 401)
        const { status, message } = error
        return written(plainPage(titleOf(status), BACK, message), status, error.headers)
      }
    }
    return { method, path, target }
  }
}

/** @throws {Problem} 422 */
function limitsFrom(form: Form): Partial<Limits> {
  const given = LIMIT_NAMES.map((name) => [name, form.required(name)] as const)
  const wrong = given.find(([name, text]) => {
    // Without any requests, nobody could use the key.
    return !/^\d{1,15}(\.\d+)?$/.test(text) || (name === RATE && Number(text) === 0)
  })
  if (wrong) throw invalid(`The field "${wrong[0]}" is no number that can be a limit. Correct it.`)
  return Object.fromEntries(given.map(([name, text]) => [name, Number(text)]))
}

type Work = (request: HttpRequest, target: Target) => Promise<HttpResponse>
