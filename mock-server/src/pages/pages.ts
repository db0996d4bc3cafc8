import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CONTRACT, REFERENCE, SAMPLES } from '../assets.ts'
import { object, type Schema } from '../contract/document.ts'
import type { Contract } from '../contract/load.ts'
import type { HttpRequest, HttpResponse } from '../door/message.ts'
import type { Route } from '../door/router.ts'
import { file, PROTECTION } from './file.ts'
import { site } from './site.ts'

/** Handles a GET of a path that is not part of the API. */
export type Page = (request: HttpRequest) => Promise<HttpResponse>

/**
 * Everything comes from this server, without eval or inline scripts. Inline styles are allowed, since
 * the renderer writes `<style>` elements.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  mcp: { disabled: true },
  agent: { disabled: true },
  showDeveloperTools: 'never',
  // The SDKs have samples of their own, and anything else is plain HTTP.
  hiddenClients: true,
}

/** A key of the sandbox that the examples use too. */
const KEY = 'sk_test_demo'

/** The page that renders the reference; its requests go to this server on any port. */
const referencePage = (settings: object) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
</head>
<body>
<script id="api-reference" data-configuration='${JSON.stringify(settings)}'></script>
<script src="/reference/renderer.js"></script>
<noscript>The API reference needs JavaScript. You can also read the <a href="/openapi.yaml">contract</a>.</noscript>
</body>
</html>
`

/**
 * The pages beside the API.
 *
 * @param revision The name of this revision of the contract; null if it is the only one.
 */
export function pages(
  { text, operations, description }: Contract,
  revision: string | null,
): Route<Page>[] {
  const contract = file(async () => text, 'application/yaml; charset=utf-8')
  const renderer = file(() => readFile(REFERENCE), 'text/javascript; charset=utf-8')
  // The samples call the SDKs, which know the default contract alone.
  const isDefault = () => text === readFileSync(CONTRACT, 'utf8')
  const shown = file(
    async () => (isDefault() ? readFile(SAMPLES) : text),
    'application/yaml; charset=utf-8',
  )
  const query = revision === null ? '' : `?revision=${encodeURIComponent(revision)}`
  const servers = [{ url: operations[0]?.basePath || '/' }]
  const authentication = { securitySchemes: keysFor(description.document) }
  const body = referencePage({
    url: `/reference/openapi.yaml${query}`,
    ...SETTINGS,
    servers,
    authentication,
  })
  const reference = async () => ({
    status: 200,
    headers: {
      ...PROTECTION,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    },
    body,
  })
  const to = (location: string) => async () => ({ status: 302, headers: { location } })
  const docs = async () => ({
    status: 302,
    headers: { location: site.isThere() ? '/docs/' : '/reference' },
  })

  return [
    { path: '/', method: 'GET', target: to('/docs') },
    { path: '/docs', method: 'GET', target: docs },
    { path: '/reference', method: 'GET', target: reference },
    { path: '/reference/renderer.js', method: 'GET', target: renderer },
    { path: '/reference/openapi.yaml', method: 'GET', target: shown },
    { path: '/openapi.yaml', method: 'GET', target: contract },
  ]
}

/** What the reference sends as credentials: never ask for a live key here. */
function keysFor(document: Schema): Record<string, object> {
  const schemes = Object.entries(object(object(document.components).securitySchemes))
  const known = schemes.filter(([name]) => /^[\w.-]+$/.test(name))
  return Object.fromEntries(known.map(([name]) => [name, { token: KEY, value: KEY }]))
}
