// Programs of users beside code that only looks alike: what rules rewrite in them, and what they leave.
// UPDATE=1 rewrites the expected programs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { LANGUAGES } from '../changes/types.ts'
import { findings, rewrite } from '../upgrades/rules/index.ts'
import { EXTENSIONS, rulesOf } from './upgrades/corpus.ts'

const FOLDER = fileURLToPath(new URL('upgrades/shop', import.meta.url))

const { changes, rules } = await rulesOf(FOLDER)

it('the contract changes in what the programs use', () => {
  expect(changes.map(({ kind }) => kind).sort()).toEqual([
    'event-field-renamed-kept',
    'operation-moved',
    'operation-renamed',
    'query-parameter-renamed',
    'request-field-renamed',
    'response-field-renamed-kept',
    'response-field-renamed-kept',
    'type-renamed',
  ])
})

it.each(LANGUAGES)('%s', async (language) => {
  const read = (version: string) => readFileSync(pathOf(version), 'utf8')
  const pathOf = (version: string) => join(FOLDER, `${version}.${EXTENSIONS[language]}`)
  const source = read('before')
  const rewritten = rewrite(source, await findings(rules[language], language, source))
  if (process.env.UPDATE === '1') writeFileSync(pathOf('after'), rewritten)
  expect(rewritten).toBe(read('after'))
  const again = await findings(rules[language], language, rewritten)
  expect(rewrite(rewritten, again)).toBe(rewritten)
})
