import { webcrypto } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { vectors } from '../../../conformance/webhooks/vectors.ts'
import type { Webhooks } from '../../src/webhooks/index.ts'
import { bodyOf } from './support.ts'

const entry = new URL('../../src/webhooks/index.ts', import.meta.url).pathname

const VERIFIER = '{ Webhooks, WebhookVerificationError, eventKinds, isUnknownEvent }'

async function bundled(format: 'esm' | 'iife', names = '*'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(entry)}`, resolveDir: '/' },
    bundle: true,
    minify: true,
    write: false,
    platform: 'neutral',
    target: 'es2022',
    globalName: format === 'iife' ? 'sdk' : undefined,
    format,
  })
  return outputFiles[0]?.text ?? ''
}

describe('the entry for webhooks', () => {
  test.each([
    ['the verifier', VERIFIER, 3_000],
    ['all of it', '*', 3_400],
  ])('is small, minified and gzipped: %s', async (_, names, limit) => {
    const size = gzipSync(await bundled('esm', names), { level: 9 }).length
    expect(size).toBeLessThanOrEqual(limit)
  })

  test('imports nothing', async () => {
    expect(await bundled('esm')).not.toMatch(/\bimport\b|\brequire\b/)
  })
})

describe('a runtime with web standards alone', async () => {
  // Neither process nor Buffer nor node:crypto, and bytes of another realm.
  const realm = createContext({ crypto: webcrypto, TextEncoder, TextDecoder, btoa })
  runInContext(await bundled('iife'), realm)
  const Foreign: typeof Webhooks = runInContext('sdk.Webhooks', realm)

  test.each(vectors)('$id has the same outcome', async (each) => {
    const { secrets, tolerance, maxBodyBytes, headers, result } = each
    const now = () => Date.parse(each.now ?? '2026-03-02T09:21:48Z')
    const unwrap = async () =>
      new Foreign(secrets, { tolerance, maxBodyBytes, now }).unwrap(bodyOf(each), headers)
    const outcome = await unwrap().then(
      () => 'ok',
      (error: { code?: unknown }) => error.code,
    )
    expect(outcome).toBe(result)
  })
})
