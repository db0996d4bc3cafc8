import { webcrypto } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { Webhooks } from '../../src/webhooks/index.ts'
import { bodyOf, vectors } from './support.ts'

const entry = new URL('../../src/webhooks/index.ts', import.meta.url).pathname

async function bundled(format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)}`, resolveDir: '/' },
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
