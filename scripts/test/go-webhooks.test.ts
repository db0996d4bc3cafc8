import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emit, nameClashes } from '../emit/go/index.ts'
import { go } from '../emit/go/language.ts'
import { packageFiles } from '../emit/go/package.ts'
import type { Api } from '../model/types.ts'
import { ROOT, readRuntime } from '../repository.ts'
import { CASES, modelOf, SOURCES, write } from './support.ts'

const own = await modelOf(join(ROOT, 'openapi.yaml'))
const OF_WEBHOOKS = /^(?:events|signature|webhook)|\/(?!(?:api|fixtures|json)[._])/
const HOSTILE = '`"\\*/\n\r\u2028\u2029\ufeff\0'
const shop = readFileSync(join(CASES, 'webhooks/openapi.yaml'), 'utf8')

it('leaves everything of webhooks out where the contract has none', () => {
  const paths = (api: Api) => {
    const runtime = packageFiles(api, readRuntime(go)).map(({ path }) => path)
    return [...runtime, ...emitted(api).keys()].filter((path) => OF_WEBHOOKS.test(path)).sort()
  }
  expect(paths(own)).toEqual(
    [
      'events.gen.go',
      'signature.gen.go',
      'supportchattest/controls.go',
      'supportchattest/dedupe.go',
      'supportchattest/mock.go',
      'supportchattest/process_other.go',
      'supportchattest/process_unix.go',
      'supportchattest/samples.gen.go',
      'supportchattest/supportchattest.go',
      'webhook_delivery.go',
      'webhook_errors.go',
      'webhook_event.go',
      'webhook_handler.go',
      'webhook_memory.go',
      'webhook_redis.go',
      'webhook_request.go',
      'webhook_router.go',
      'webhook_settings.go',
      'webhook_signature.go',
      'webhook_sql.go',
      'webhook_store.go',
      'webhook_stores.gen.go',
      'webhooks.go',
    ].sort(),
  )
  expect(paths({ ...own, webhooks: [] })).toEqual([])
  expect(paths({ ...own, signature: null })).toEqual([])
})

it('samples of events match the document', async () => {
  const value = { event: 'a.b', id: HOSTILE, occurred_at: '', data: { '`': '\ud800\x7f' } }
  const api = await modelOf(write(shop))
  const webhooks = api.webhooks.map((webhook) => ({ ...webhook, examples: [{ value }] }))
  const made = emitted({ ...api, webhooks } as Api).get('supportchattest/samples.gen.go')
  const samples = Array.from(made?.matchAll(/^\t\{".*", `(.*)`\},$/gm) ?? [], ([, json = '']) =>
    JSON.parse(json),
  )
  expect(samples.slice(0, 2)).toEqual([value, value])
  expect(made).not.toMatch(/[\x7f\u2028\u2029\ufeff\r]/)
})

it('reports fields that collide with the methods of an event, with the fix', async () => {
  const withField = shop.replace('id: { type: string },', '$& event_id: { type: string },')
  const clashes = nameClashes(await modelOf(write(withField)))
  expect(clashes.map(({ message }) => message)).toEqual([
    'the Go SDK would have two fields named EventID',
  ])
  const unsigned = withField.replace(/^x-webhook-signature:\n(?: .*\n)+/m, '')
  expect(nameClashes(await modelOf(write(unsigned)))).toEqual([])
})

/** The emitted files, by path. */
function emitted(api: Api): Map<string, string> {
  return new Map(emit(api, SOURCES).map(({ path, content }) => [path, content]))
}
