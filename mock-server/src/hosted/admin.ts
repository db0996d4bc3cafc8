/** The admin API, as `admin.yaml` describes it. */
import type { RouteHandler } from '../api.ts'
import { ADMIN } from '../assets.ts'
import { byCompiled } from '../contract/compiled.ts'
import { type Operation, readPrepared } from '../contract/load.ts'
import { readRequest } from '../contract/request.ts'
import { durationOf } from '../control/duration.ts'
import { isEqual } from '../control/guard.ts'
import { authenticate } from '../door/auth.ts'
import { type HttpRequest, type HttpResponse, json } from '../door/message.ts'
import { unauthorized } from '../door/problem.ts'
import { parametersOf, type Route } from '../door/router.ts'
import type { AuditEntry, Tenant } from '../store/tenants.ts'
import { GRACE, type Issued, type Tenants } from './tenants.ts'
import { claimUrl } from './views.ts'
import type { Visitors } from './visitors.ts'

export interface AdminOptions {
  tenants: Tenants
  visitors: Visitors
  adminToken: string
  /** How integrators reach the server, without a trailing slash. */
  publicUrl: string
}

interface AdminRequest {
  request: HttpRequest
  id: string
  query: Readonly<Record<string, string>>
  // Already checked against admin.yaml.
  // biome-ignore lint/suspicious/noExplicitAny: the shapes are those of admin.yaml
  body: any
}

type Handler = (request: AdminRequest) => Promise<HttpResponse>

const LISTED = '100'

/** Handlers by method and path. */
function handlersOf({ tenants, visitors, publicUrl }: AdminOptions): Record<string, Handler> {
  const shown = (tenant: Tenant) => keyOf(tenant, tenants)
  const issued = (status: number, { tenant, key, claim }: Issued) =>
    json(
      status,
      { ...shown(tenant), key, ...(claim && { claim_url: claimUrl(publicUrl, claim) }) },
      { 'cache-control': 'no-store' },
    )
  return {
    'GET /_mock/admin/keys': async ({ query: { limit = LISTED, before } }) =>
      json(200, { data: (await tenants.list(Number(limit), before)).map(shown) }),
    'POST /_mock/admin/keys': async ({ body: { name, limits } }) =>
      issued(201, await tenants.issue(name, limits)),
    'GET /_mock/admin/keys/{id}': async ({ id }) => {
      const tenant = await tenants.get(id)
      return json(200, { ...shown(tenant), usage: await tenants.usage(tenant) })
    },
    'PATCH /_mock/admin/keys/{id}': async ({ id, body }) =>
      json(200, shown(await tenants.change(id, body))),
    'POST /_mock/admin/keys/{id}/rotate': async ({ id, body: { grace } }) =>
      issued(200, await tenants.rotate(id, grace === undefined ? GRACE : durationOf(grace))),
    'POST /_mock/admin/keys/{id}/revoke': async ({ id }) =>
      json(200, shown(await tenants.revoke(id))),
    'GET /_mock/admin/audit': async ({ query: { limit = LISTED, before } }) => {
      const entries = await tenants.audit(Number(limit), before ? Date.parse(before) : undefined)
      return json(200, { data: entries.map(auditedOf) })
    },
    'POST /_mock/sandboxes': async ({ request }) => {
      visitors.count(request)
      return issued(201, await tenants.offer())
    },
    'POST /_mock/sandboxes/claim': async ({ body: { claim, name } }) =>
      json(200, shown(await tenants.claim(claim, name))),
  }
}

/** The routes of `admin.yaml`. */
export async function adminRoutes(options: AdminOptions): Promise<Route<RouteHandler>[]> {
  const { operations } = await readPrepared(ADMIN, '')
  const handlers = handlersOf(options)
  return operations.map((operation) => {
    const { method, path } = operation
    const handler = handlers[`${method} ${path}`]
    if (!handler) throw new Error(`admin.yaml describes ${method} ${path}, which has no handler`)
    return { method, path, target: routed(operation, handler, options) }
  })
}

/** @throws {Problem} 401 */
export function checkAdmin(sent: string, adminToken: string): void {
  if (isEqual(sent, adminToken)) return
  throw unauthorized('This is not the admin token.')
}

function routed(
  operation: Operation,
  handler: Handler,
  { adminToken }: AdminOptions,
): RouteHandler {
  const isPublic = operation.security.length === 0
  return async (request, target) => {
    if (!isPublic) checkAdmin(authenticate(operation.security, request, target), adminToken)
    const { body } = await readRequest(operation, request, target, byCompiled)
    return handler({
      request,
      id: parametersOf(operation.path, target.path).id ?? '',
      query: Object.fromEntries(target.query),
      body: body?.value,
    })
  }
}

function keyOf(tenant: Tenant, tenants: Tenants) {
  const { id, name, createdAt, expiresAt, revokedAt, archivedAt, keys } = tenant
  return {
    id,
    name,
    created_at: timeOf(createdAt),
    expires_at: timeOf(expiresAt),
    revoked_at: timeOf(revokedAt),
    archived_at: timeOf(archivedAt),
    limits: tenants.limitsOf(tenant),
    keys: keys.map((key) => ({
      hint: key.hint,
      created_at: timeOf(key.createdAt),
      expires_at: timeOf(key.expiresAt),
    })),
  }
}

function auditedOf({ at, actor, action, tenant, detail }: AuditEntry) {
  return { at: timeOf(at), actor, action, key_id: tenant, detail }
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
