/** The frame of every page. */
import { html } from 'hono/html'
import { BASE, button, type Html, time } from './parts.ts'

/** What a page shows. */
export interface View {
  title: string
  /** The page of the navigation that it belongs to. */
  within: string
  /** The part that is refreshed every two seconds. */
  live: Html
  /** Parts that are not refreshed: forms, and secrets that are shown only once. */
  before?: Html
  after?: Html
  /** The address of the refresh. @default the address of the page */
  address?: string
}

/** The part of a page that a refresh replaces, with the clock. */
export function fragment({ live }: View, now: number): Html {
  return html`<div id="live">${live}</div><span id="clock">${time(now)}</span>`
}

/** The sandbox that a page shows. */
export interface Frame {
  /** The key of the sandbox, as it is shown. */
  key: string
  /** Whether it was issued to the visitor, who signed in with it. */
  isSignedIn: boolean
  /** The sandbox's time. */
  now: number
  /** The result of the last action. */
  notice?: string | undefined
  /** Why the last action was refused. */
  problem?: string | undefined
}

/** Everything comes from this server; nothing is inline. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGES = [
  ['/', 'Overview'],
  [`${BASE}/conversations`, 'Conversations'],
  [`${BASE}/requests`, 'Requests'],
  [`${BASE}/events`, 'Events'],
  [`${BASE}/deliveries`, 'Deliveries'],
  [`${BASE}/dead`, 'Dead letters'],
  [`${BASE}/endpoints`, 'Endpoints'],
  [`${BASE}/faults`, 'Faults'],
  [`${BASE}/snapshots`, 'Snapshots'],
  [`${BASE}/contract`, 'Contract'],
] as const

/** Keeps expanded elements expanded during a refresh. */
const HTMX = JSON.stringify({
  history: false,
  includeIndicatorCSS: false,
  morphIgnore: ['data-htmx-powered', 'open'],
})

function document(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="htmx-config" content="${HTMX}">
<title>${title} · Support Chat mock server</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${BASE}/base.css">
<link rel="stylesheet" href="${BASE}/style.css">
<script src="${BASE}/htmx.js" defer></script>
<script src="${BASE}/live.js" defer></script>
</head>
<body>
${body}
</body>
</html>
`
}

/** A page about a sandbox. */
export function page(view: View, { key, isSignedIn, now, notice, problem }: Frame): Html {
  const { title, within, live, before, after, address = '' } = view
  const links = PAGES.map(([path, label]) => {
    const current = path === within ? html` aria-current="page"` : ''
    return html`<li><a href="${path}"${current}>${label}</a></li>`
  })
  const said = notice ?? problem
  return document(
    said ? `${said} ${title}` : title,
    html`<a class="skip" href="#main">Skip to content</a>
<header>
<div class="top">
<p class="brand">Support Chat <span>mock</span></p>
<nav aria-label="Pages"><ul>${links}<li><a href="/docs">Docs</a></li></ul></nav>
<details class="sandbox">
<summary>Sandbox <b class="cut">${key}</b></summary>
<div class="tools" role="group" aria-label="Sandbox">
${isSignedIn ? SIGN_OUT : switchForm(key)}
<form method="post" action="${BASE}/clock">
<span>Clock <span id="clock">${time(now)}</span> UTC</span>
<button name="advance" value="PT1H">Advance 1 h</button>
<button name="advance" value="PT24H">Advance 24 h</button>
</form>
<details><summary>Reset…</summary>
${button(`${BASE}/reset`, 'Delete all data of this sandbox')}
</details>
</div>
</details>
</div>
</header>
<main id="main" tabindex="-1" hx-get="${address}" hx-trigger="every 2s, visibilitychange from:document"
 hx-select="#live" hx-select-oob="#clock:innerHTML" hx-target="#live" hx-swap="outerMorph">
<h1>${title}</h1>
<p id="connection" role="alert"></p>
<p id="copied" class="unseen" role="status"></p>
${notice && html`<p class="notice">${notice}</p>`}
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
${before}
<div id="live">${live}</div>
${after}
</main>`,
  )
}

const SIGN_OUT = button(`${BASE}/sign-out`, 'Sign out')

function switchForm(key: string): Html {
  return html`<form method="post" action="${BASE}/key">
<label for="key">API key</label>
<input id="key" name="key" value="${key}" required maxlength="200" autocomplete="off" spellcheck="false">
<button>Switch</button>
</form>`
}

/** A page about no sandbox. */
export function plainPage(title: string, content: Html, problem: string | null = null): Html {
  return document(
    title,
    html`<main id="main">
<h1>${title}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
${content}
</main>`,
  )
}

/** The page with the form for the key that was issued to a visitor. */
export function signInPage(problem: string | null): Html {
  return plainPage(
    'Sign in',
    html`<p>Enter the key of your sandbox. It starts with <code>sk_test_</code>. You enter it once per browser
session.</p>
<form method="post" action="${BASE}/key" class="fields">
<label for="key">API key</label>
<input id="key" name="key" type="password" required maxlength="200" autocomplete="current-password" autofocus>
<button>Sign in</button>
</form>
<h2>No key yet?</h2>
<p>Create a sandbox. It needs no account, and ends after seven days unless you claim it.</p>
${button(`${BASE}/sign-up`, 'Create a sandbox')}`,
    problem,
  )
}

/** The page with the form for the token. */
export function tokenPage(problem: string | null): Html {
  return document(
    'Control token',
    html`<main id="main">
<h1>Control token</h1>
<p>This server requires its control token: the value of the variable that was passed to
<code>--control-token-env</code>. You enter it once per browser session.</p>
${problem && html`<p class="notice" role="alert">${problem}</p>`}
<form method="post" action="${BASE}/token" class="fields">
<label for="token">Control token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" autofocus>
<button>Continue</button>
</form>
</main>`,
  )
}

/** The page of a failed request. */
export function problemPage(title: string, detail: string): Html {
  return document(
    title,
    html`<main id="main">
<h1>${title}</h1>
<p class="notice" role="alert">${detail}</p>
<p>Go back and correct the input, or return to <a href="/">the overview</a>.</p>
</main>`,
  )
}
