import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const files = (pattern: string) =>
  globSync(pattern, { cwd: src }).map((name) => ({
    name,
    text: readFileSync(join(src, name), 'utf8'),
  }))

/** Files of `generated/` that import nothing of it but each other, so that the core may use them. */
const LEAVES = ['contract.js', 'errors.js', 'names.js', 'policy.js', 'shapes.js']

describe('the source', () => {
  it.each(files('{core,raw,webhooks,opentelemetry,testing}/*.ts'))(
    '$name fits any contract',
    ({ text }) => {
      expect(text).not.toMatch(/support.?chat|\/v1\/(?!things)/i)
    },
  )

  it.each(files('core/*.ts'))('$name imports leaves of generated/ only', ({ text }) => {
    const generated = ts
      .preProcessFile(text)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.includes('generated/'))
    for (const name of generated) expect(LEAVES).toContain(basename(name))
  })

  it('uses openapi-fetch in its seams alone', () => {
    const users = files('**/*.ts')
      .filter(({ text }) => /import (?!type)[^']*'openapi-fetch'/.test(text))
      .map(({ name }) => name)
    expect(users.sort()).toEqual(['core/styles.ts', 'raw/index.ts'])
  })
})
