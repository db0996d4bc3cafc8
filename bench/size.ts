// What a package adds to a bundle: all that its entry exports, bundled and minified by esbuild for a
// browser, then gzipped at the highest level.

import { SupportChat } from '@support-chat/sdk'
import { eventKinds } from '@support-chat/sdk/webhooks'
import {
  budgets,
  type Contract,
  countOperations,
  sizeOf,
} from '../sdks/typescript/test/package/size.ts'
import { type Budget, report } from './report.ts'

interface Entry {
  label: string
  exports: string
  /** In bytes, gzipped. */
  budget?: (contract: Contract) => number
}

const verifier = '{ Webhooks, WebhookVerificationError, isUnknownEvent, eventKinds }'

const entries: Entry[] = [
  {
    label: '**@support-chat/sdk**',
    exports: `* from '@support-chat/sdk'`,
    budget: budgets.client,
  },
  { label: '**@support-chat/sdk/raw**', exports: `* from '@support-chat/sdk/raw'` },
  { label: 'openapi-fetch alone', exports: `{ default } from 'openapi-fetch'` },
  { label: 'stripe', exports: `{ default } from 'stripe'` },
  { label: 'openai', exports: `{ default } from 'openai'` },
  {
    label: '**@support-chat/sdk/webhooks**, without the memory store',
    exports: `${verifier} from '@support-chat/sdk/webhooks'`,
    budget: budgets.webhooks,
  },
  {
    label: '**@support-chat/sdk/webhooks**, with the memory store',
    exports: `${verifier.replace(' }', ', MemoryDedupeStore }')} from '@support-chat/sdk/webhooks'`,
    budget: budgets.webhooksWithStore,
  },
  {
    label: '**@support-chat/sdk/webhooks**, with the receiver and the router',
    exports: `* from '@support-chat/sdk/webhooks'`,
    budget: budgets.webhooksWithReceiver,
  },
  { label: 'standardwebhooks', exports: `* from 'standardwebhooks'` },
  { label: '@octokit/webhooks-methods', exports: `* from '@octokit/webhooks-methods'` },
]

const client = new SupportChat({ apiKey: 'sk_test_bench', baseURL: 'http://bench.invalid' })
const contract: Contract = {
  operations: countOperations(client),
  events: eventKinds.length,
}

const rows: string[][] = []
const met: Budget[] = []
for (const { label, exports, budget } of entries) {
  const { minified, gzipped } = await sizeOf(exports, import.meta.dirname)
  rows.push([label, (minified / 1000).toFixed(1), (gzipped / 1000).toFixed(2)])
  if (budget) {
    const what = `${label.replaceAll('*', '')}, gzipped bytes`
    met.push({ what, actual: gzipped, limit: budget(contract), keep: 'at most' })
  }
}
report(['bundle', 'minified kB', 'gzipped kB'], rows, met)
