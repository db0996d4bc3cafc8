/** What the pages about keys show. */
import { html } from 'hono/html'
import { plainPage } from '../dashboard/layout.ts'
import { BASE, block, button, type Html, hidden, table, time } from '../dashboard/parts.ts'
import { LIMIT_NAMES, type LimitName, type Limits, type Tenant } from '../store/tenants.ts'

export const ADMIN = `${BASE}/admin`
export const CLAIM = `${BASE}/claim`

const LABELS: Readonly<Record<LimitName, string>> = {
  requests_per_second: 'Requests a second',
  conversations: 'Conversations',
  stored_bytes: 'Stored bytes',
  endpoints: 'Endpoints',
  deliveries_per_day: 'Deliveries a day',
}

/** A tenant with all limits that hold. */
export type Shown = Tenant & { limits: Limits }

/** The address of the page that claims a sandbox. */
export function claimUrl(publicUrl: string, claim: string): string {
  // Queries are in no log of this server.
  return `${publicUrl}${CLAIM}?secret=${claim}`
}

export function signedUpPage(key: string, link: string): Html {
  return plainPage(
    'Your sandbox',
    html`<p>Your API key. It is not shown again:</p>
${block(key, 'the API key')}
<p>The sandbox ends in seven days unless you claim it. Keep this link, and open it once to claim the sandbox:</p>
${block(link, 'the claim link')}
<p><a href="/">Go to your sandbox</a></p>`,
  )
}

export function claimPage(action: string, secret: string): Html {
  return plainPage(
    'Claim your sandbox',
    html`<p>A claimed sandbox does not end after seven days. Say who uses it, so that the operator can reach you.</p>
<form method="post" action="${action}" class="fields">${hidden({ secret })}
<label for="name">Name or company</label>
<input id="name" name="name" required maxlength="100" autocomplete="organization" autofocus>
<button>Claim</button>
</form>`,
  )
}

export function claimedPage(name: string): Html {
  return plainPage(
    'Claimed',
    html`<p>The sandbox now belongs to <b>${name}</b>. Its key stays the same.</p>
<p><a href="/">Go to your sandbox</a></p>`,
  )
}

export function adminTokenPage(problem: string | null): Html {
  return plainPage(
    'Administration',
    html`<p>Enter the admin token of this server. You enter it once per browser session.</p>
<form method="post" action="${ADMIN}/token" class="fields">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" autofocus>
<button>Continue</button>
</form>`,
    problem,
  )
}

export function issuedPage(name: string, key: string): Html {
  return plainPage(
    'New key',
    html`<p>The API key for <b>${name}</b>. It is not shown again:</p>
${block(key, 'the API key')}
<p><a href="${ADMIN}">Go to all keys</a></p>`,
  )
}

/** @param next The last key of this page, where there are more. */
export function adminPage(keys: readonly Shown[], next: string | undefined): Html {
  return plainPage(
    'Keys',
    html`<form method="post" action="${ADMIN}/keys" class="fields">
<label for="name">Issue a key for</label>
<input id="name" name="name" required maxlength="100" autocomplete="off">
<button>Issue</button>
</form>
${table('Keys', ['Name', 'Key', 'Created', 'State', 'Actions'], keys.map(row))}
${next && html`<p><a href="${ADMIN}?before=${encodeURIComponent(next)}">Older keys</a></p>`}
${button(`${ADMIN}/sign-out`, 'Sign out')}`,
  )
}

function row(tenant: Shown): Html {
  const { id, name, createdAt, keys, limits } = tenant
  const path = `${ADMIN}/keys/${encodeURIComponent(id)}`
  const actions = html`<details><summary>Change…</summary>
<form method="post" action="${path}/rename" class="fields">
<label for="name-${id}">Name</label>
<input id="name-${id}" name="name" value="${name}" required maxlength="100" autocomplete="off">
<button>Rename</button>
</form>
<form method="post" action="${path}/limits" class="fields">
${LIMIT_NAMES.map(
  (limit) => html`<label for="${limit}-${id}">${LABELS[limit]}</label>
<input id="${limit}-${id}" name="${limit}" value="${String(limits[limit])}" inputmode="numeric" required autocomplete="off">`,
)}
<button>Change limits</button>
</form>
${button(`${path}/rotate`, 'Replace the key', `of ${name}`)}
${button(`${path}/revoke`, 'Revoke the key', `of ${name}`)}
</details>`
  return html`<tr><th scope="row">${name}<br><code>${id}</code></th><td><code>…${keys[0]?.hint}</code></td>
<td>${time(createdAt)}</td><td>${stateOf(tenant)}</td><td>${tenant.revokedAt === null && actions}</td></tr>`
}

function stateOf({ revokedAt, expiresAt, archivedAt }: Tenant): Html {
  if (revokedAt !== null) return html`revoked ${time(revokedAt)}`
  if (archivedAt !== null) return html`archived ${time(archivedAt)}`
  return expiresAt === null ? html`in use` : html`ends ${time(expiresAt)} unless claimed`
}
