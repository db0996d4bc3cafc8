// What a package adds to a bundle: all that its entry exports, bundled and minified by esbuild for a
// browser, then gzipped at the highest level.

import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { type Budget, report } from './report.ts'

interface Entry {
  label: string
  exports: string
  /** In kB of 1000 bytes, gzipped. */
  budget?: number
}

const entries: Entry[] = [
  { label: '**@support-chat/sdk**', exports: `* from '@support-chat/sdk'`, budget: 8 },
  { label: 'openapi-fetch alone', exports: `{ default } from 'openapi-fetch'` },
  { label: 'stripe', exports: `{ default } from 'stripe'` },
  { label: 'openai', exports: `{ default } from 'openai'` },
  {
    label: '**@support-chat/sdk/webhooks**',
    exports: `* from '@support-chat/sdk/webhooks'`,
    budget: 3,
  },
  {
    label: '**its verifier alone**',
    exports: `{ Webhooks, WebhookVerificationError, isUnknownEvent } from '@support-chat/sdk/webhooks'`,
    budget: 3,
  },
  { label: 'standardwebhooks', exports: `* from 'standardwebhooks'` },
  { label: '@octokit/webhooks-methods', exports: `* from '@octokit/webhooks-methods'` },
]

interface Size {
  minified: number
  gzipped: number
}

async function sizeOf(exports: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exports}`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['node:*'],
    logLevel: 'error',
  })
  const code = outputFiles[0]?.contents ?? new Uint8Array()
  return { minified: code.length / 1000, gzipped: gzipSync(code, { level: 9 }).length / 1000 }
}

const rows: string[][] = []
const budgets: Budget[] = []
for (const { label, exports, budget } of entries) {
  const { minified, gzipped } = await sizeOf(exports)
  rows.push([label, minified.toFixed(1), gzipped.toFixed(2)])
  if (budget) {
    const what = `${label.replaceAll('*', '')}, gzipped kB`
    budgets.push({ what, actual: gzipped, limit: budget, keep: 'at most' })
  }
}
report(['bundle', 'minified kB', 'gzipped kB'], rows, budgets)
