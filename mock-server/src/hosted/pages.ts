/** The pages of a hosted server about keys: to sign up, to claim a sandbox, and to administrate them. */
import type { RouteHandler } from '../api.ts'
import { guardPage } from '../control/guard.ts'
import { dropCookie, keepCookie, readCookie } from '../dashboard/cookies.ts'
import { type Form, readForm } from '../dashboard/form.ts'
import { problemPage } from '../dashboard/layout.ts'
import { BASE } from '../dashboard/parts.ts'
import { seeOther, written } from '../dashboard/responses.ts'
import type { HttpRequest, HttpResponse } from '../door/message.ts'
import { invalid, Problem, titleOf } from '../door/problem.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { Target } from '../door/target.ts'
import { LIMIT_NAMES, type Limits } from '../store/tenants.ts'
import { checkAdmin } from './admin.ts'
import { limitOf } from './options.ts'
import { GRACE, type Tenants } from './tenants.ts'
import {
  ADMIN,
  adminPage,
  adminTokenPage,
  CLAIM,
  claimedPage,
  claimPage,
  claimUrl,
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

const LISTED = 50

const FIELDS = { name: { maxLength: 100 }, token: { maxLength: 10_000 } }

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
      checkAdmin(token, adminToken)
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
      checkAdmin(token, adminToken)
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
        const { status, message, headers } = error
        if (status === 401) return written(adminTokenPage(message), status)
        return written(problemPage(titleOf(status), message), status, headers)
      }
    }
    return { method, path, target }
  }
}

/** @throws {Problem} 422 */
function limitsFrom(form: Form): Partial<Limits> {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => {
      const limit = limitOf(name, form.required(name))
      if (limit !== null) return [name, limit]
      throw invalid(`The field "${name}" is no number that can be a limit. Correct it.`)
    }),
  )
}

type Work = (request: HttpRequest, target: Target) => Promise<HttpResponse>
