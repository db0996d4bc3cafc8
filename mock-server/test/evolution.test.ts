/** The mock server follows the service on its whole way from the preview to the launch. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseYaml } from '@redocly/openapi-core'
import { afterEach, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../src/index.ts'
import { journey } from './edited/journey.ts'
import type { Node } from './edited/tools.ts'

const FOLDER = new URL('../../contracts/evolution/', import.meta.url)
const revisions = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'))

let mock: MockServer | undefined
afterEach(() => mock?.close())

it('walks all revisions', () => {
  expect(revisions.length).toBeGreaterThanOrEqual(12)
})

it.each(revisions)('%s is followed, and nothing that is sent contradicts it', async (revision) => {
  const file = new URL(revision, FOLDER)
  const document = parseYaml(readFileSync(file, 'utf8')) as Node
  const started = await createMockServer({ contract: fileURLToPath(file), strict: true })
  mock = started
  await journey(document, started.fetch)
})

it('all of them are served at once, from one sandbox', async () => {
  const files = revisions.map((file) => new URL(file, FOLDER))
  const contracts = files.map((file) => fileURLToPath(file))
  const started = await createMockServer({ contracts, strict: true })
  mock = started
  expect(new Set(started.revisions).size).toBe(files.length)
  for (const index of [0, Math.floor(files.length / 2), files.length - 1]) {
    const [file = '', revision = ''] = [contracts[index], started.revisions[index]]
    await journey(parseYaml(readFileSync(file, 'utf8')) as Node, (path, init = {}) => {
      const headers = { ...init.headers, 'x-mock-revision': revision }
      return started.fetch(path, { ...init, headers })
    })
  }
})
